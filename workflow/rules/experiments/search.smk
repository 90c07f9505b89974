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

from labs.records.names.search import LAB_SAMPLERS

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
ON_BENCH = (
    "start",
    "max-length",
    "reviews",
    "held-out",
    "epochs",
    "batch-size",
    "learning-rate",
    "compressed-epochs",
)
TRAINED_ALIKE = ("layers", "replaced", *ON_BENCH)
COMPARED = ("sampler-seeds", "startup")

RECORDS.append("<results>/records/search.json")
PART_RULES["search"] = ["search_architectures", "test_architecture", "train_winner"]
PART_RULES["search"] += ["search_lab_space"] if LAB else []
PARTS["search"] = [*SEARCHED, *TESTED, *LONGER, *LAB]


rule train_shard:
    message:
        "Training architectures, replicate {wildcards.replicate}, shard {wildcards.shard}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        shard="<results>/parts/search/{replicate}-{shard}.txt",
    params:
        code=code_digest("scripts/train_shard.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, "shards")),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/train_shard/{replicate}-{shard}.log",
    wildcard_constraints:
        replicate=r"\d+",
        shard=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("search"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/train_shard.py \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --shard {wildcards.shard:q} \
            --output {output.shard:q} \
            2>&1 | tee {log:q}
        """


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
        code=code_digest("scripts/search_architectures.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, "least-accuracy", *COMPARED)),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
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
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/search_architectures.py \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule test_architecture:
    message:
        "Testing what the searches chose, replicate {wildcards.replicate}"
    input:
        parts=SEARCHED,
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/search/test-{replicate}.json",
    params:
        code=code_digest("scripts/test_architecture.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, *COMPARED)),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/test_architecture/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("search"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/test_architecture.py \
            --parts {input.parts:q} \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule train_winner:
    message:
        "Training the winner of the search for more epochs, replicate {wildcards.replicate}"
    input:
        parts=SEARCHED,
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/search/epochs-{replicate}.json",
    params:
        code=code_digest("scripts/train_winner.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, "more-epochs", "more-held-out")),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/train_winner/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("search"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/train_winner.py \
            --parts {input.parts:q} \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """


rule search_lab_space:
    message:
        "Searching the lab's whole space, {wildcards.sampler}, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record="<results>/parts/search/lab-{sampler}-{replicate}.json",
    params:
        code=code_digest("scripts/search_lab_space.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *ON_BENCH, "startup", "lab-trials")),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/search_lab_space/{sampler}-{replicate}.log",
    wildcard_constraints:
        sampler=one_of(LAB_SAMPLERS),
        replicate=r"\d+",
    threads: TRAINING_THREADS
    resources:
        gpu=TRAINING_GPUS,
        mem_mb=memory_of("lab-space"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} {log:q} scripts/search_lab_space.py \
            --sampler {wildcards.sampler:q} \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
