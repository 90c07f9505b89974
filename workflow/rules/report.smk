"""
Judge the claims, make tables, draw figures, and render the report.

REQUIRED INPUTS:

    records   = <results>/records/**.json
    recorded  = report/machines/*/**/*.json, records that were taken on other machines
    questions = report/questions.yaml
    published = report/published.yaml

OUTPUTS:

    claims  = <results>/report/claims.json
    tables  = <results>/tables/*.csv
    figures = <results>/figures/*.svg, each with a .json that describes it
    html    = <results>/report/report.html
    pdf     = <results>/report/report.pdf
"""

from glob import glob

RECORDED = sorted(glob("report/machines/*/**/*.json", recursive=True))
DRAWN = expand("<results>/figures/{figure}", figure=FIGURES)


rule judge_claims:
    message:
        "Judging the claims"
    input:
        code=code_of("scripts/judge_claims.py"),
        schema="workflow/schemas/record.schema.yaml",
        published="report/published.yaml",
        records=RECORDS,
        recorded=RECORDED,
    output:
        claims="<results>/report/claims.json",
    log:
        "<logs>/judge_claims.log",
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/judge_claims.py \
            --records {input.records:q} \
            --recorded {input.recorded:q} \
            --root . \
            --output {output.claims:q} \
            2>&1 | tee {log:q}
        """


rule make_tables:
    message:
        "Making the tables"
    input:
        code=code_of("scripts/make_tables.py"),
        schema="workflow/schemas/record.schema.yaml",
        published="report/published.yaml",
        records=RECORDS,
    output:
        tables=expand("<results>/tables/{table}.csv", table=TABLES),
    params:
        preset=PRESET,
        folder=folder_of_outputs,
    log:
        "<logs>/make_tables.log",
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/make_tables.py \
            --records {input.records:q} \
            --preset {params.preset:q} \
            --output-dir {params.folder:q} \
            2>&1 | tee {log:q}
        """


rule draw_figures:
    message:
        "Drawing the figures"
    input:
        code=code_of("scripts/draw_figures.py"),
        tables=rules.make_tables.output.tables,
        fonts=files_in("report/fonts"),
    output:
        figures=expand("{figure}.svg", figure=DRAWN),
        descriptions=expand("{figure}.json", figure=DRAWN),
    params:
        tables=folder_of_tables,
        devices=PRESENT,
        folder=folder_of_outputs,
    log:
        "<logs>/draw_figures.log",
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/draw_figures.py \
            --tables {params.tables:q} \
            --devices {params.devices:q} \
            --output-dir {params.folder:q} \
            2>&1 | tee {log:q}
        """


rule render_html:
    message:
        "Rendering the report as HTML"
    input:
        code=code_of("scripts/render_html.py"),
        tables=rules.make_tables.output.tables,
        figures=rules.draw_figures.output.figures,
        descriptions=rules.draw_figures.output.descriptions,
        claims=rules.judge_claims.output.claims,
        questions="report/questions.yaml",
        published="report/published.yaml",
        templates=files_in("report/templates"),
        style=files_in("report/style"),
        fonts=files_in("report/fonts"),
    output:
        html="<results>/report/report.html",
    params:
        preset=PRESET,
        tables=folder_of_tables,
    log:
        "<logs>/render_html.log",
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/render_html.py \
            --tables {params.tables:q} \
            --figures {input.figures:q} \
            --claims {input.claims:q} \
            --questions {input.questions:q} \
            --published {input.published:q} \
            --templates report/templates \
            --style report/style \
            --fonts report/fonts \
            --preset {params.preset:q} \
            --output {output.html:q} \
            2>&1 | tee {log:q}
        """


rule render_pdf:
    message:
        "Rendering the report as PDF"
    input:
        code=code_of("scripts/render_pdf.py"),
        html=rules.render_html.output.html,
    output:
        pdf="<results>/report/report.pdf",
    log:
        "<logs>/render_pdf.log",
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/render_pdf.py \
            --html {input.html:q} \
            --output {output.pdf:q} \
            2>&1 | tee {log:q}
        """
