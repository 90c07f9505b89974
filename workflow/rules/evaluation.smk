"""
Judge the claims, make the tables, and draw the figures.

REQUIRED INPUTS:

    records  = <results>/records/**.json
    recorded = report/machines/*/**/*.json, records from other machines

OUTPUTS:

    claims  = <results>/report/claims.json
    tables  = <results>/tables/*.csv
    figures = <results>/figures/*.svg, each with a .json that describes it
"""

from labs.setup.discovery import listed

RECORDED = recorded()
TABLES = ["values", "published", "machine", "timing", "settings", "jobs", *listed("TABLES")]
FIGURES = ["published", *listed("FIGURES")]
FIGURES += expand("{figure}_{device}", figure=listed("FIGURES_PER_DEVICE"), device=MEASURED_ON)
DRAWN = expand("<results>/figures/{figure}", figure=FIGURES)


rule judge_claims:
    message:
        "Judging the claims"
    input:
        schema=SCHEMA,
        published=PUBLISHED,
        lab_sizes=LAB_SIZES,
        records=RECORDS,
        recorded=RECORDED,
    output:
        claims=in_report(["<results>/report/claims.json"], "Claims"),
        sums="<results>/sums/judge_claims.sha256",
    params:
        program=unchanged("scripts/judge_claims.py", f"{EXPERIMENTS}/**/claims.py"),
        software=locked("report"),
        text=digest(SCHEMA, PUBLISHED, LAB_SIZES, *RECORDED),
    log:
        "<logs>/judge_claims.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --records {input.records:q} \
            --recorded {input.recorded:q} \
            --root . \
            --output {output.claims:q} \
            2>&1 | tee {log:q}
        sha256sum {output.claims:q} >{output.sums:q}
        """


rule make_tables:
    message:
        "Making the tables"
    input:
        schema=SCHEMA,
        published=PUBLISHED,
        records=RECORDS,
    output:
        tables=in_report(expand("<results>/tables/{table}.csv", table=TABLES), "Tables"),
        sums="<results>/sums/make_tables.sha256",
    params:
        program=unchanged("scripts/make_tables.py", f"{EXPERIMENTS}/**/values.py"),
        software=locked("report"),
        text=digest(SCHEMA, PUBLISHED),
        parts=[f"{name}={','.join(rules)}" for name, rules in PARTS.items()],
        folder=folder_of_outputs,
    log:
        "<logs>/make_tables.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --records {input.records:q} \
            --parts {params.parts:q} \
            --output-dir {params.folder:q} \
            2>&1 | tee {log:q}
        sha256sum {output.tables:q} >{output.sums:q}
        """


rule draw_figures:
    message:
        "Drawing the figures"
    input:
        tables=rules.make_tables.output.tables,
        fonts=files_in("report/fonts"),
    output:
        figures=in_report(expand("{figure}.svg", figure=DRAWN), "Figures"),
        descriptions=expand("{figure}.json", figure=DRAWN),
        sums="<results>/sums/draw_figures.sha256",
    params:
        program=unchanged("scripts/draw_figures.py", f"{EXPERIMENTS}/**/figures.py"),
        software=locked("report"),
        text=digest(*files_in("report/fonts")),
        tables=folder_of_tables,
        devices=MEASURED_ON,
        folder=folder_of_outputs,
    log:
        "<logs>/draw_figures.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --tables {params.tables:q} \
            --devices {params.devices:q} \
            --output-dir {params.folder:q} \
            2>&1 | tee {log:q}
        sha256sum {output.figures:q} {output.descriptions:q} >{output.sums:q}
        """
