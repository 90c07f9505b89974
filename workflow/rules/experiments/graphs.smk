"""
Export BERT-tiny's graphs and run passes over them (questions 1, 1 task, 2 and 4 of Lab 0).

OUTPUTS:

    record = <results>/records/graphs.json
"""

RECORDS.append("<results>/records/graphs.json")


rule trace_graphs:
    message:
        "Tracing the graphs of BERT-tiny"
    output:
        record="<results>/records/graphs.json",
    params:
        program=unchanged("scripts/trace_graphs.py"),
        software=locked("measure"),
        settings=flags(SIZES["graphs"]) + shared("seed"),
    log:
        "<logs>/trace_graphs.log",
    resources:
        mem_mb=memory_of("graphs"),
    conda:
        "../../../envs/measure.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.settings:q} \
            --device cpu \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
