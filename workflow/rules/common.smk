"""
The measured devices, the records of the report, and helpers that the other files share.
"""

import os
import sys

from labs.setup import command
from labs.setup import slurm
from labs.setup.devices import DEVICES, VARIABLE, absence, resolve
from labs.setup.machines import recorded
from labs.setup.software import locked
from labs.setup.sources import digest, digest_of, names_given

# `devices: auto` is resolved once, here, by the Snakemake that the user starts. Jobs on other nodes
# read this file again, and take the answer from the variable, which envvars passes on.
PRESENT = resolve(config["devices"], workflow.is_main_process, os.environ)
ABSENT = [device for device in DEVICES if device not in PRESENT]
ABSENCE = absence(config["devices"])
os.environ[VARIABLE] = ",".join(PRESENT)
# Jobs import this project and what their environment has: neither what lies in ~/.local nor what a
# module system adds. pip is that environment's, which may be conda's.
os.environ |= {"PYTHONNOUSERSITE": "1", "PYTHONPATH": f"{workflow.basedir}/scripts"}
os.environ |= {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_PYTHON": ""}
# The report says how to run a job again. As a parameter, another command would make a new report.
if workflow.is_main_process:
    os.environ[command.VARIABLE] = command.command(sys.argv[1:])


envvars:
    "LABS_DEVICES",
    "LABS_COMMAND",


# The records that the report reads; the rule file of each experiment adds its own.
RECORDS = []
# The experiments that are measured, or recorded as absent, on each device.
PER_DEVICE = []
# Of each experiment whose record is gathered from parts: the parts, and the rules that write them.
PARTS, PART_RULES = {}, {}

# A timing job claims every core of the scheduler, so that no other job runs beside it; on a cluster,
# every core of a node, and the node for itself. The threads that it computes with are a separate
# setting (--threads, from config). Commands that run no job give no number of cores.
GIVEN = workflow.resource_settings
ALONE = GIVEN.cores or (slurm.cores_of_nodes() if GIVEN.nodes else 1)
EXCLUSIVE = "--exclusive"

# Texts that several rules read.
SCHEMA = "workflow/schemas/record.schema.yaml"
PUBLISHED = "report/published.yaml"
LAB_SIZES = "report/lab_sizes.yaml"

# Models are trained on one device: the fastest present.
TRAINING_DEVICE = PRESENT[-1]
TRAINING_GPUS = int(TRAINING_DEVICE == "cuda")
# Two trainings with one thread each are faster than one after the other with two, and where there
# are fewer cores than Snakemake was told, two threads of one training wait for each other.
TRAINING_THREADS = 1
# Priorities: jobs that many others wait for, or that take long, start first, so that a run does not end
# with one of them on one core.
FIRST, EARLY = 2, 1
BASE_MODEL = "<results>/models/base_model.safetensors"
# Points of curves and evaluations of searches, which no rule owns.
STUDIES = f"results/{PRESET}/studies"

# Settings of several experiments.
COMPRESSION = SIZES["compression"]


def unchanged(program):
    """The digest of a program's code and its path, as run_unchanged.py takes them.

    The digest is found when one of its jobs is planned. Snakemake starts again in every job on a
    cluster, and there plans that job alone.
    """
    return lambda wildcards: [digest_of(program), program]


def measured_per_device(experiment):
    """Add an experiment's records, one per device."""
    PER_DEVICE.append(experiment)
    for device in DEVICES:
        RECORDS.append(f"<results>/records/{experiment}/{device}.json")


def gpus_of(wildcards):
    """How many GPUs a job asks for: one if its device is a GPU."""
    return int(wildcards.device == "cuda")


def memory_of(experiment):
    """The memory of an experiment's job, in MB; more if it is tried again."""
    return lambda wildcards, attempt: SIZES["memory"][experiment] * attempt


def one_of(names):
    """The wildcard constraint that matches only these names, or nothing if there are none."""
    return "|".join(names) or "(?!)"


def flags(section, *names, prefix="--"):
    """The settings of a section that have these names, or else all, as flags.

    {"batch": 2, "resnet18": {"depths": [2, 2]}} is --batch 2 --resnet18-depths 2 2.
    """
    words = []
    for name in names or section:
        value = section[name]
        if isinstance(value, dict):
            words += flags(value, prefix=f"{prefix}{name}-")
        else:
            words += [f"{prefix}{name}", *(value if isinstance(value, list) else [value])]
    return words


def shared(*names):
    """Settings of the preset or of the whole run, and the device of trainings, as flags."""
    return flags({**config, **SIZES, "device": TRAINING_DEVICE}, *names)


def files_in(folder):
    """Every file under a folder, sorted, as the inputs of a rule."""
    return sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())


def shown(paths, category, caption):
    """Outputs, as `snakemake --report` shows them: each under its name."""
    caption = f"../../report/captions/{caption}.rst"
    found = []
    for path in paths:
        labels = {"name": os.path.basename(path)}
        found.append(report(path, caption=caption, category=category, labels=labels))
    return found


def folder_of_tables(wildcards, input):
    return os.path.dirname(input.tables[0])


def folder_of_outputs(wildcards, output):
    return os.path.dirname(output[0])


def folder_of_encoder(wildcards, input):
    return os.path.dirname(input.encoder[0])
