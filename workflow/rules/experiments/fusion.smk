"""
Measure kernel fusion: attention, and linear + ReLU (questions 2a and 2b).

OUTPUTS:

    record = <results>/records/fusion/{device}.json
"""

measured_per_device("fusion")


use rule measure_compilation as measure_fusion with:
    message:
        "Timing kernel fusion on {wildcards.device}"
    output:
        record="<results>/records/fusion/{device}.json",
    params:
        program=unchanged("scripts/measure_fusion.py"),
        settings=flags(SIZES["fusion"]) + shared("processes", "budget", "rounds", "threads", "seed"),
    log:
        "<logs>/measure_fusion/{device}.log",
    resources:
        gpu=gpus_of,
        mem_mb=memory_of("fusion"),
        slurm_extra=EXCLUSIVE,
