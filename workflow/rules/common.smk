"""
Which devices are measured, what the report is made of, and the helpers that the other files share.
"""

import os

from labs.setup.devices import DEVICES, VARIABLE, absence, resolve
from labs.setup.sources import code_of, names_given

# `devices: auto` is looked up once, here, by the Snakemake that a person starts. Jobs on other
# nodes read this file again and take the answer from the variable, which envvars sends along.
PRESENT = resolve(config["devices"], workflow.is_main_process, os.environ)
ABSENT = [device for device in DEVICES if device not in PRESENT]
ABSENCE = absence(config["devices"])
os.environ[VARIABLE] = ",".join(PRESENT)


envvars:
    "LABS_DEVICES",


# The records that the report reads. Every experiment's own file adds to it.
RECORDS = []
# The experiments that are measured on each device, or recorded as absent there.
PER_DEVICE = []
# The experiments whose record is gathered from parts: these parts, and the rules that write them.
PARTS, PART_RULES = {}, {}

# A timing job runs alone: it claims every core that the scheduler hands out, so that no other job
# starts beside it. How many threads it computes with is its own affair (--threads, from config).
ALONE = workflow.cores

# Models are trained on one device: the fastest present.
TRAINING_DEVICE = PRESENT[-1]
# Threads of a training that shares the machine. A small model gains little from more.
TRAINING_THREADS = 2
BASE_MODEL = "<results>/models/base_model.safetensors"

# Quantization and pruning, every curve of every seed a job of its own. Two trainings of one thread
# each get further than one of two.
COMPRESSION = SIZES["compression"]
COMPRESSION_THREADS = 1
REPLICATES = range(COMPRESSION["seeds"])


def measured_per_device(experiment):
    """Add an experiment's records, one per device."""
    PER_DEVICE.append(experiment)
    for device in DEVICES:
        RECORDS.append(f"<results>/records/{experiment}/{device}.json")


def one_of(names):
    """The wildcard constraint that admits these names and, when there are none, nothing."""
    return "|".join(names) or "(?!)"


def shared(*names):
    """Settings of the preset, or of the whole run, as flags."""
    settings = {**SIZES, "threads": config["threads"], "seed": config["seed"]}
    return flags({name: settings[name] for name in names})


def flags(sizes, prefix="--"):
    """{"batch": 2, "resnet18": {"depths": [2, 2]}} as flags: --batch 2 --resnet18-depths 2 2"""
    words = []
    for name, value in sizes.items():
        if isinstance(value, dict):
            words += flags(value, f"{prefix}{name}-")
        else:
            words += [f"{prefix}{name}", *(value if isinstance(value, list) else [value])]
    return words


def files_in(folder):
    """Every file under a folder, sorted, so that a rule can name them as its inputs."""
    return sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())


def folder_of_tables(wildcards, input):
    return os.path.dirname(input.tables[0])


def folder_of_encoder(wildcards, input):
    return os.path.dirname(input.encoder[0])


def folder_of_outputs(wildcards, output):
    return os.path.dirname(output[0])
