"""
The measured devices, the records of the report, and helpers that the other files share.
"""

import os
import sys

from snakemake.settings.types import DeploymentMethod

from labs.setup import command
from labs.setup import slurm
from labs.setup.allocator import KEEPS_FREED_MEMORY
from labs.setup.devices import DEVICES, VARIABLE, resolve
from labs.setup.machines import recorded
from labs.setup.software import locked
from labs.setup.sources import digest, digest_of

# Jobs import this project, the built mxint_cuda and what their environment has: neither what lies in
# ~/.local nor what a module system adds. pip is that environment's, which may be conda's.
PATHS = [f"{workflow.basedir}/scripts", f"{os.getcwd()}/results/build"]
os.environ |= {"PYTHONNOUSERSITE": "1", "PYTHONPATH": os.pathsep.join(PATHS)}
os.environ |= {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_PYTHON": ""}
os.environ |= KEEPS_FREED_MEMORY
# `devices: auto` is resolved once, here, by the Snakemake that the user starts. Jobs on other nodes
# read this file again, and take the answer from the variable, which envvars passes on. Under conda
# each job has a torch of its own, and asks that.
OWN_TORCH = DeploymentMethod.CONDA not in workflow.deployment_settings.deployment_method
MEASURED_ON, WHY_NOT_MEASURED = resolve(
    config["devices"], workflow.is_main_process, os.environ, ask_torch=OWN_TORCH
)
NOT_MEASURED_ON = [device for device in DEVICES if device not in MEASURED_ON]
MAY_LACK_CUDA = config["devices"] == "auto" and "cuda" in MEASURED_ON and not OWN_TORCH
os.environ[VARIABLE] = ",".join(MEASURED_ON)
# The report says how to run a job again. Not a parameter: another command would render it again.
if workflow.is_main_process:
    os.environ[command.VARIABLE] = command.command(sys.argv[1:])


envvars:
    "LABS_DEVICES",
    "LABS_COMMAND",


# The records that the report reads; the rule file of each experiment adds its own.
RECORDS = []
# The experiments that are measured, or recorded as absent, on each device.
PER_DEVICE = []
# Of each experiment whose record is gathered from parts: the parts, by the rule that writes them.
PARTS = {}
# The experiments, and parts of them, that a rule runs.
RUN = set()

# A timing job claims every core of the scheduler, so that no other job runs beside it; on a cluster,
# every core of a node, and the node for itself. The threads that it computes with are a separate
# setting (--threads, from config). Commands that run no job give no number of cores.
RESOURCES = workflow.resource_settings
ALL_CORES = RESOURCES.cores or (slurm.cores_of_nodes() if RESOURCES.nodes else 1)
EXCLUSIVE = "--exclusive"

EXPERIMENTS = "scripts/labs/experiments"
# Texts that several rules read.
SCHEMA = "workflow/schemas/record.schema.yaml"
PUBLISHED = "report/published.yaml"
LAB_SIZES = "report/lab_sizes.yaml"
CAPTION = "../../report/captions/result.rst"

# Models are trained on one device: the fastest present.
TRAINING_DEVICE = MEASURED_ON[-1]
# Two trainings with one thread each are faster than one after the other with two, and where there
# are fewer cores than Snakemake was told, two threads of one training wait for each other.
TRAINING_THREADS = 1
# Priorities: jobs that many others wait for, or that take long, start first, so that a run does not end
# with one of them on one core.
FIRST, EARLY = 2, 1
BASE_MODEL = "<results>/models/base/{replicate}.safetensors"
FIRST_BASE_MODEL = BASE_MODEL.format(replicate=0)
# A chain is a base model and all that is made of it; several show what a method does.
CHAINS = range(SIZES["chains"])
# Points of curves and evaluations of searches, which no rule owns, and all presets share.
STUDIES = "results/studies"


def unchanged(program, *modules):
    """The arguments of run_unchanged.py: the digest of the code, its modules, and the program.

    The code is the program's and that of the modules that it imports by name at run time. The
    digest is computed when a job is planned: Snakemake starts again in every job on a cluster, and
    there plans that job alone.
    """
    code = [program, *modules]
    return lambda wildcards: [digest_of(*code), ",".join(code), program]


def experiment(name):
    """The same for an experiment, or a part of one; its code is observe.py and all that imports."""
    RUN.add(name)
    code = f"{EXPERIMENTS}/{name}/observe.py"
    return lambda wildcards: [digest_of(code), code, "scripts/run_experiment.py", name]


def record(experiment):
    """The record of an experiment, which the report reads."""
    path = f"<results>/records/{experiment}.json"
    RECORDS.append(path)
    return path


def record_per_device(experiment):
    """The record of an experiment on each device, measured or absent."""
    PER_DEVICE.append(experiment)
    path = f"<results>/records/{experiment}/{{device}}.json"
    RECORDS.extend(expand(path, device=DEVICES))
    return path


def part(experiment, rule, name, /, **wildcards):
    """A part of the record of an experiment, one for each value of its wildcards.

    ``rule`` is the rule that writes it.
    """
    if experiment not in PARTS:
        record(experiment)
    path = f"<results>/parts/{experiment}/{name}.json"
    PARTS.setdefault(experiment, {})[rule] = expand(path, **wildcards)
    return path


def parts_of(experiment):
    """The parts that an experiment's record is gathered from."""
    return [part for parts in PARTS[experiment].values() for part in parts]


def resources_for(memory, device=None):
    """The resources of a job that takes this much memory, in MB; more if it is tried again.

    It asks for a GPU if its device, given here or a wildcard, is one.
    """
    return {
        "gpu": lambda wildcards: int((device or wildcards.get("device")) == "cuda"),
        "mem_mb": lambda wildcards, attempt: memory * attempt,
    }


def whole_node(memory, device=None):
    """The same of a job that has its node for itself."""
    return {**resources_for(memory, device), "slurm_extra": EXCLUSIVE}


def alternatives(names):
    """The wildcard constraint that matches only these names, or nothing if there are none."""
    return "|".join(names) or "(?!)"


def flags(settings, prefix="--"):
    """Settings by name, as arguments.

    {"batch": 2, "resnet18": {"depths": [2, 2]}} is --batch 2 --resnet18-depths 2 2.
    """
    words = []
    for name, value in settings.items():
        if isinstance(value, dict):
            words += flags(value, prefix=f"{prefix}{name}-")
        else:
            words += [f"{prefix}{name}", *(value if isinstance(value, list) else [value])]
    return words


def settings_as_flags(*sections):
    """What this run sets the keys of sections to, as arguments."""
    return [word for section in sections for word in flags(section.values(SIZES))]


def run_with(threads, **device):
    """What every experiment is told of how it runs, as arguments; a device may be a wildcard.

    Under conda a job may find that its torch cannot use the GPU: then a record per device is absent,
    and a job with a single record runs on the CPU.
    """
    without = {"without-cuda": "cpu" if device else "skip"} if MAY_LACK_CUDA else {}
    return flags({"threads": threads, "seed": config["seed"], **device, **without})


def files_and_wildcards(wildcards, input, output):
    """The files and wildcards of an experiment's job, as arguments of the same names."""
    files = {name.replace("_", "-"): path for name, path in [*input.items(), *output.items()]}
    files["output"] = files.pop("record")
    if "encoder" in files:
        files["encoder"] = os.path.dirname(files["encoder"][0])
    for order_only in ("manifest", "first-weights"):
        files.pop(order_only, None)
    return flags({**dict(wildcards.items()), **files})


def files_in(folder):
    """Every file under a folder, sorted, as the inputs of a rule."""
    return sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())


def in_report(paths, category):
    """Outputs, as `snakemake --report` shows them: each under its name."""

    def named_result(path):
        labels = {"name": os.path.basename(path)}
        return report(path, caption=CAPTION, category=category, labels=labels)

    return list(map(named_result, paths))


def folder_of_tables(wildcards, input):
    return os.path.dirname(input.tables[0])


def folder_of_outputs(wildcards, output):
    return os.path.dirname(output[0])
