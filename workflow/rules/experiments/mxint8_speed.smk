"""
Time linear layers in MXINT8, and the kernels that decode it (questions 3a and 3c).

REQUIRED INPUTS:

    manifest = the build of mxint_cuda

OUTPUTS:

    record = <results>/records/{mxint8_linear,mxint8_kernels}/{device}.json
"""

measured_per_device("mxint8_linear")
measured_per_device("mxint8_kernels")


rule measure_mxint8_linear:
    message:
        "Timing linear layers in MXINT8 on {wildcards.device}"
    input:
        manifest=manifest_of_build,
    output:
        record="<results>/records/mxint8_linear/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_linear.py"),
        software=locked("measure"),
        build=folder_of_build,
        settings=flags(MXINT8["linear"])
        + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_mxint8_linear/{device}.log",
    wildcard_constraints:
        device=one_of(PRESENT),
    threads: ALONE
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("mxint8"),
        slurm_extra=EXCLUSIVE,
    retries: 0
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        PYTHONPATH={params.build:q} python scripts/run_unchanged.py {log:q} {params.program:q} \
            --device {wildcards.device:q} \
            {params.settings:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


use rule measure_mxint8_linear as measure_mxint8_kernels with:
    message:
        "Timing the kernels that decode MXINT8 on {wildcards.device}"
    output:
        record="<results>/records/mxint8_kernels/{device}.json",
    params:
        program=unchanged("scripts/measure_mxint8_kernels.py"),
        settings=flags(MXINT8["kernels"])
        + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_mxint8_kernels/{device}.log",
