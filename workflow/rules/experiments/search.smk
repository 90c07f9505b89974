"""
Search for an architecture (questions 2.1, 2.1b and 2.2). Every training seed is a job, whose record
is a part of the experiment's. Then, with every seed, the winners are tested, and the winner of the
search without compression is trained for more epochs. Where the preset has trials for it, samplers
search the lab's whole space, each with every seed in a job of its own.

REQUIRED INPUTS:

    tokens  = results/data/tokens.parquet
    encoder = results/data/encoder/model.safetensors

OUTPUTS:

    shard  = <results>/parts/search/{replicate}-{shard}.txt, of each shard if there are several
    part   = <results>/parts/search/{replicate}.json
    test   = <results>/parts/search/test-{replicate}.json
    longer = <results>/parts/search/epochs-{replicate}.json
    lab    = <results>/parts/search/lab-{sampler}-{replicate}.json
    record = <results>/records/search.json, gathered from the parts

Evaluations stay in <results>/studies, which is no output: a job that starts again finds them.
"""

from labs.experiments.search.names import LAB_SAMPLERS
from labs.experiments.search.sizes import COMPARISON, ON_BENCH, ON_GRID

SEARCH = SIZES["search"]
# With one shard, the job that writes the record trains alone. Several are trained before it starts.
SHARDS = range(SEARCH["shards"] if SEARCH["shards"] > 1 else 0)
SEARCHED = expand("<results>/parts/search/{replicate}.json", replicate=range(SEARCH["seeds"]))
TESTED = expand(
    "<results>/parts/search/test-{replicate}.json",
    replicate=range(max(SEARCH["seeds"], SEARCH["noise-seeds"])),
)
LONGER = expand("<results>/parts/search/epochs-{replicate}.json", replicate=range(SEARCH["seeds"]))
LAB = expand(
    "<results>/parts/search/lab-{sampler}-{replicate}.json",
    sampler=LAB_SAMPLERS,
    replicate=range(SEARCH["seeds"] if SEARCH["lab-trials"] else 0),
)

RECORDS.append("<results>/records/search.json")
PART_RULES["search"] = ["search_architectures", "test_architecture", "train_winner"]
PART_RULES["search"] += ["search_lab_space"] if LAB else []
PARTS["search"] = [*SEARCHED, *TESTED, *LONGER, *LAB]


rule search_architectures:
    message:
        "Searching among architectures, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
        shards=expand(
            "<results>/parts/search/{replicate}-{shard}.txt", shard=SHARDS, allow_missing=True
        ),
    output:
        record="<results>/parts/search/{replicate}.json",
    params:
        program=unchanged("scripts/search_architectures.py"),
        software=locked("train"),
        encoder=folder_of_encoder,
        settings=flags(SEARCH, *ON_GRID, "least-accuracy", *COMPARISON) + shared("seed", "device"),
        # What only some of these rules give their program.
        own=[],
        studies=STUDIES,
    log:
        "<logs>/search_architectures/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("search"),
    priority: EARLY
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            {params.own:q} \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.settings:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --threads {threads:q} \
            --output {output:q} \
            2>&1 | tee {log:q}
        """


use rule search_architectures as train_shard with:
    message:
        "Training architectures, replicate {wildcards.replicate}, shard {wildcards.shard}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        shard="<results>/parts/search/{replicate}-{shard}.txt",
    params:
        program=unchanged("scripts/train_shard.py"),
        settings=flags(SEARCH, *ON_GRID, "shards") + shared("seed", "device"),
        own=lambda wildcards: ["--shard", wildcards.shard],
    log:
        "<logs>/train_shard/{replicate}-{shard}.log",
    wildcard_constraints:
        replicate=r"\d+",
        shard=r"\d+",
    priority: 0


use rule search_architectures as test_architecture with:
    message:
        "Testing what the searches chose, replicate {wildcards.replicate}"
    input:
        parts=SEARCHED,
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/search/test-{replicate}.json",
    params:
        program=unchanged("scripts/test_architecture.py"),
        settings=flags(SEARCH, *ON_GRID, *COMPARISON) + shared("seed", "device"),
        own=lambda wildcards, input: ["--parts", *input.parts],
    log:
        "<logs>/test_architecture/{replicate}.log",
    priority: 0


use rule test_architecture as train_winner with:
    message:
        "Training the winner of the search for more epochs, replicate {wildcards.replicate}"
    output:
        record="<results>/parts/search/epochs-{replicate}.json",
    params:
        program=unchanged("scripts/train_winner.py"),
        settings=flags(SEARCH, *ON_GRID, "more-epochs", "more-held-out") + shared("seed", "device"),
    log:
        "<logs>/train_winner/{replicate}.log",


use rule train_shard as search_lab_space with:
    message:
        "Searching the lab's whole space, {wildcards.sampler}, replicate {wildcards.replicate}"
    output:
        record="<results>/parts/search/lab-{sampler}-{replicate}.json",
    params:
        program=unchanged("scripts/search_lab_space.py"),
        settings=flags(SEARCH, *ON_BENCH, "startup", "lab-trials") + shared("seed", "device"),
        own=lambda wildcards: ["--sampler", wildcards.sampler],
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    wildcard_constraints:
        sampler=one_of(LAB_SAMPLERS),
        replicate=r"\d+",
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("lab-space"),
