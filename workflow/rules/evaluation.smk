"""
Judge the claims and make the tables, in one pass over the records, and draw the figures.

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


rule evaluate_records:
    message:
        "Judging the claims and making the tables"
    input:
        schema=SCHEMA,
        published=PUBLISHED,
        lab_sizes=LAB_SIZES,
        records=RECORDS,
        recorded=RECORDED,
    output:
        claims=in_report(["<results>/report/claims.json"], "Claims"),
        tables=in_report(expand("<results>/tables/{table}.csv", table=TABLES), "Tables"),
        sums="<results>/sums/evaluate_records.sha256",
    params:
        program=unchanged(
            "scripts/evaluate_records.py",
            f"{EXPERIMENTS}/**/claims.py",
            f"{EXPERIMENTS}/**/values.py",
        ),
        software=locked("report"),
        text=digest(SCHEMA, PUBLISHED, LAB_SIZES, *RECORDED),
        parts=[f"{name}={','.join(rules)}" for name, rules in PARTS.items()],
        folder=lambda wildcards, output: Path(output.tables[0]).parent,
    log:
        "<logs>/evaluate_records.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --records {input.records:q} \
            --recorded {input.recorded:q} \
            --parts {params.parts:q} \
            --claims {output.claims:q} \
            --tables {params.folder:q} \
            2>&1 | tee {log:q}
        sha256sum {output.claims:q} {output.tables:q} >{output.sums:q}
        """


rule draw_figures:
    message:
        "Drawing the figures"
    input:
        tables=rules.evaluate_records.output.tables,
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
