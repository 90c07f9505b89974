"""
Which devices are measured, what the report is made of, and the helpers that the other files of this
folder share.
"""

import os
from pathlib import Path

from labs.devices import DEVICES, VARIABLE, absence, resolve
from labs.sources import code_of

# `devices: auto` is looked up once, here, by the Snakemake that a person starts. Jobs on other
# nodes read this file again and take the answer from the variable, which envvars sends along.
PRESENT = resolve(config["devices"], workflow.is_main_process, os.environ)
ABSENT = [device for device in DEVICES if device not in PRESENT]
ABSENCE = absence(config["devices"])
os.environ[VARIABLE] = ",".join(PRESENT)


envvars:
    "LABS_DEVICES",


# What the report reads. Each experiment's own file adds to these lists.
RECORDS = []
TABLES = ["values", "machine", "settings", "jobs"]
FIGURES = []

# A timing job runs alone: it claims every core that the scheduler hands out, so that no other job
# starts beside it. How many threads it computes with is its own affair (--threads, from config).
ALONE = workflow.cores


def one_of(names):
    """The wildcard constraint that admits these names and, when there are none, nothing."""
    return "|".join(names) or "(?!)"


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


def folder_of_outputs(wildcards, output):
    return os.path.dirname(output[0])


def folder_of_build(wildcards, input):
    return os.path.dirname(input.manifest)


def first_weights(wildcards):
    """The files of the model that training starts from, where they lie on this machine."""
    if config["model"]["source"] != "path":
        return []
    return [f"{config['model']['name']}/{file}" for file in ("config.json", "model.safetensors")]


def folder_of_encoder(wildcards, input):
    return os.path.dirname(input.encoder[0])
