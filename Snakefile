"""The report of the labs: measure, judge the claims, draw, and render HTML and PDF.

    snakemake --cores 4                            the report at the preset of config.yaml
    snakemake --cores 4 --config preset=smoke      the same at other sizes
    snakemake --cores 4 --use-conda                the same, with software from envs/

With --workflow-profile workflow/profiles/local Snakemake leaves the cores alone while a job is timed.

Results are written to results/<preset>/: report/, tables/, figures/ and records/.
"""

import os
import sys
import tempfile
from glob import glob

from snakemake.utils import min_version

min_version("9.27")

sys.path.insert(0, f"{workflow.basedir}/scripts")

from labs.measure import limits
from labs.setup.altered import quarantine_modified
from labs.setup.config import check_syntax, settings_of
from labs.setup.memory import check_memory
from labs.setup.place import check_clock, validate_folder
from labs.setup.wiring import check_wiring

validate_folder(Path.cwd())
for file in ["config.yaml", *workflow.overwrite_configfiles]:
    check_syntax(file)


configfile: "config.yaml"


config.update(settings_of(config))

PRESET = config["preset"]
SIZES = config["presets"][PRESET]
# Commands that plan or render alone say so. What a cluster's nodes have is not known here.
if "LABS_NO_MEASURING" not in os.environ:
    validate_folder(Path(tempfile.gettempdir()), "the temporary folder", "set TMPDIR to")
    if not workflow.resource_settings.nodes:
        check_memory(PRESET, SIZES, limits.memory().amount)


pathvars:
    results=f"results/{PRESET}",
    logs=f"logs/{PRESET}",


report: "report/captions/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/build.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/kinds.smk"


for rule_file in sorted(
    glob(f"{workflow.basedir}/workflow/rules/experiments/**/*.smk", recursive=True)
):

    include: rule_file


include: "workflow/rules/records.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/report.smk"


if workflow.is_main_process:
    check_wiring(RUN, QUESTIONS, Path("report", "templates"))
    check_clock(("config.yaml", "report", "mxint_cuda", "workflow", "results"))
    results = Path("results", PRESET)
    records = (
        path.replace("<results>", str(results))
        for path in [*RECORDS, *sum(map(parts_of, PARTS), [])]
    )
    sums = [*results.glob("sums/*.sha256"), *Path("results/data/sums").glob("*.sha256")]
    for line in quarantine_modified(map(Path, records), sums):
        print(line, file=sys.stderr)


# The report, and all that it shows or rests on but data and models: what is deleted is made again.
rule all:
    default_target: True
    input:
        rules.render_pdf.output,
        rules.render_html.output,
        rules.draw_figures.output,
        rules.evaluate_records.output,
        RECORDS,
        *map(parts_of, PARTS),
        rules.build_mxint_cuda.output,


onstart:
    # Jobs of a run that was killed go on, and some would wait for ever.
    if workflow.executor_plugin.name == "slurm":
        slurm.cancel_left(Path.cwd())
        slurm.watch(Path.cwd())


onsuccess:
    shell("{sys.executable:q} scripts/summarize.py --report-dir results/{PRESET}/report")


onerror:
    if workflow.executor_plugin.name == "slurm":
        slurm.explain(Path.cwd(), Path("logs", PRESET))
        print(
            "Where SLURM refuses a job, set cores, runtime or slurm_partition in the profile, or the "
            f"job-memory of its experiment in presets.{PRESET}."
        )
    print(f"The report is not finished. The failed job's log is under logs/{PRESET}/.")
    print(f"Run it again to continue; make draft PRESET={PRESET} reports what there is.")
