"""
Render the report.

REQUIRED INPUTS:

    claims    = <results>/report/claims.json
    tables    = <results>/tables/*.csv
    figures   = <results>/figures/*.svg, each with a .json that describes it
    questions = report/questions.yaml, and question.yaml of experiments that have one
    published = report/published.yaml
    lab_sizes = report/lab_sizes.yaml
    config    = config.yaml, for the sizes of every preset

OUTPUTS:

    html = <results>/report/report.html
    pdf  = <results>/report/report.pdf
"""

from labs.setup.config import changed

QUESTIONS = [
    "report/questions.yaml",
    *sorted(glob(f"{EXPERIMENTS}/**/question.yaml", recursive=True)),
]
CONFIG = "config.yaml"
TEMPLATES, STYLE, FONTS = (
    files_in(f"report/{folder}") for folder in ("templates", "style", "fonts")
)


rule render_html:
    message:
        "Rendering the report as HTML"
    input:
        tables=rules.evaluate_records.output.tables,
        figures=rules.draw_figures.output.figures,
        descriptions=rules.draw_figures.output.descriptions,
        claims=rules.evaluate_records.output.claims,
        questions=QUESTIONS,
        published=PUBLISHED,
        lab_sizes=LAB_SIZES,
        config=CONFIG,
        templates=TEMPLATES,
        style=STYLE,
        fonts=FONTS,
    output:
        html=in_report(["<results>/report/report.html"], "Report"),
        sums="<results>/sums/render_html.sha256",
    params:
        program=unchanged("scripts/render_html.py"),
        software=locked("report"),
        text=digest(*QUESTIONS, PUBLISHED, LAB_SIZES, CONFIG, *TEMPLATES, *STYLE, *FONTS),
        preset=PRESET,
        changed=changed(CONFIG, config),
        tables=folder_of_tables,
    log:
        "<logs>/render_html.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --tables {params.tables:q} \
            --figures {input.figures:q} \
            --claims {input.claims:q} \
            --questions {input.questions:q} \
            --published {input.published:q} \
            --lab-sizes {input.lab_sizes:q} \
            --config {input.config:q} \
            --changed {params.changed:q} \
            --templates report/templates \
            --style report/style \
            --fonts report/fonts \
            --preset {params.preset:q} \
            --output {output.html:q} \
            2>&1 | tee {log:q}
        sha256sum {output.html:q} >{output.sums:q}
        """


rule render_pdf:
    message:
        "Rendering the report as PDF"
    input:
        html=rules.render_html.output.html,
        claims=rules.evaluate_records.output.claims,
        tables=rules.evaluate_records.output.tables,
    output:
        pdf=in_report(["<results>/report/report.pdf"], "Report"),
        sums="<results>/sums/render_pdf.sha256",
    params:
        program=unchanged("scripts/render_pdf.py"),
        software=locked("report"),
    log:
        "<logs>/render_pdf.log",
    localrule: True
    conda:
        "../../envs/report.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --html {input.html:q} \
            --attachments {input.claims:q} {input.tables:q} \
            --output {output.pdf:q} \
            2>&1 | tee {log:q}
        sha256sum {output.pdf:q} >{output.sums:q}
        """
