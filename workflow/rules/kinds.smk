"""
Base rules of the experiments: counting, training, timing, and timing of trainings. An experiment
says `use rule timing as ... with:`, and overrides what differs.

These rules have no outputs, and are never run themselves. Counting runs on the CPU, trainings on
TRAINING_DEVICE, and timing once per device: its record is `record_per_device(...)`, or else its
`run=` names the device. A count that differs between devices runs once per device, too.
"""


rule counting:
    params:
        program=[],
        software=locked("measure"),
        named=files_and_wildcards,
        settings=[],
        run=run_with(1, device="cpu"),
    log:
        "<logs>/kinds.log",
    wildcard_constraints:
        device=alternatives(MEASURED_ON),
        replicate=r"\d+",
    resources:
        **resources_for(0),
    conda:
        f"{workflow.basedir}/envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.named:q} {params.settings:q} {params.run:q} \
            2>&1 | tee {log:q}
        """


use rule counting as training with:
    params:
        software=locked("train"),
        run=run_with(TRAINING_THREADS, device=TRAINING_DEVICE),
    threads: TRAINING_THREADS
    conda:
        f"{workflow.basedir}/envs/train.yaml"


use rule counting as timing with:
    params:
        run=run_with(config["threads"]),
    threads: ALL_CORES
    resources:
        **whole_node(0),
    retries: 0


use rule timing as timing_of_training with:
    params:
        software=locked("train"),
        run=run_with(config["threads"], device=TRAINING_DEVICE),
    conda:
        f"{workflow.basedir}/envs/train.yaml"
