"""
Export BERT-tiny's graphs and run passes over them (questions 1, 1 task, 2 and 4 of Lab 0).

REQUIRED INPUTS:

    none

OUTPUTS:

    record = <results>/records/graphs/bert-tiny.cpu.json
"""

RECORDS += ["<results>/records/graphs/bert-tiny.cpu.json"]
TABLES += [
    "graphs_operators",
    "graphs_changes",
    "graphs_boxes",
    "graphs_edges",
    "graphs_modules",
    "graphs_nodes",
    "graphs_shapes",
    "graphs_outputs",
    "graphs_errors",
    "graphs_code",
]
FIGURES += ["graphs_modules", "graphs_mask", "graphs_labels"]


rule trace_graphs:
    message:
        "Tracing the graphs of BERT-tiny"
    input:
        code=code_of("scripts/trace_graphs.py"),
    output:
        record="<results>/records/graphs/bert-tiny.cpu.json",
    params:
        sizes=flags(SIZES["graphs"]),
        seed=config["seed"],
    log:
        "<logs>/trace_graphs.log",
    conda:
        "../../envs/measure.yaml"
    shell:
        """
        python scripts/trace_graphs.py \
            {params.sizes:q} \
            --device cpu \
            --threads {threads:q} \
            --seed {params.seed:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
