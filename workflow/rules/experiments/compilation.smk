"""
Measure torch.compile on ResNet-18 and BERT-tiny (questions 1a and 1b).

OUTPUTS:

    record = <results>/records/compilation/{device}.json, the lab's own loop
    record = <results>/records/compilation_modes/{device}.json, other modes, sizes and caches
"""

from labs.experiments.compilation.sizes import BY_MODE, OF_THE_LAB

COMPILATION = SIZES["compilation"]

measured_per_device("compilation")
measured_per_device("compilation_modes")


rule measure_compilation:
    message:
        "Timing torch.compile on {wildcards.device}, as the lab does"
    output:
        record="<results>/records/compilation/{device}.json",
    params:
        program=unchanged("scripts/measure_compilation.py"),
        software=locked("measure"),
        settings=flags(COMPILATION, *OF_THE_LAB) + shared("threads", "seed"),
    log:
        "<logs>/measure_compilation/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("compilation"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --device {wildcards.device:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule measure_compilation as measure_compilation_modes with:
    message:
        "Timing torch.compile on {wildcards.device}, by mode and size"
    output:
        record="<results>/records/compilation_modes/{device}.json",
    params:
        program=unchanged("scripts/measure_compilation_modes.py"),
        settings=flags(COMPILATION, *BY_MODE) + shared("processes", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_compilation_modes/{device}.log",
