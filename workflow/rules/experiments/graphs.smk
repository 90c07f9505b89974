"""The graphs of BERT-tiny, and passes over them (questions 1, 1 task, 2 and 4 of Lab 0)."""

from labs.experiments.graphs import sizes


use rule counting as trace_graphs with:
    message:
        "Tracing the graphs of BERT-tiny"
    output:
        record=record("graphs"),
    params:
        program=experiment("graphs"),
        settings=settings_as_flags(*sizes.SETTINGS),
    log:
        "<logs>/trace_graphs.log",
    resources:
        **resources_for(SIZES["graphs"]["job-memory"]),
