"""
Search for an architecture (question 2.1). Every training seed is a job, whose record is a part of
the experiment's; the last part is that of the winner on the test split.

REQUIRED INPUTS:

    tokens  = results/data/tokens.parquet
    encoder = results/data/encoder/model.safetensors

OUTPUTS:

    share  = <results>/parts/search/{replicate}-{worker}.txt, of each worker if there are several
    part   = <results>/parts/search/{replicate}.json
    test   = <results>/parts/search/test.json
    record = <results>/records/search.json, gathered from the parts

Journals and evaluations stay in <results>/studies, which is no output: a job that starts again goes
on where they are.
"""

SEARCH = SIZES["search"]
SEARCH_THREADS = 1
# With one worker, the job that writes the record trains alone. Several finish the study before it
# starts; where there are fewer cores than workers, the first ones find nothing left for the others.
WORKERS = range(SEARCH["workers"] if SEARCH["workers"] > 1 else 0)
SEARCHED = expand("<results>/parts/search/{replicate}.json", replicate=range(SEARCH["seeds"]))
TESTED = "<results>/parts/search/test.json"
TRAINED_ALIKE = (
    "layers",
    "replaced",
    "start",
    "max-length",
    "reviews",
    "held-out",
    "epochs",
    "batch-size",
    "learning-rate",
)

RECORDS.append("<results>/records/search.json")
PART_RULES["search"] = ["search_architectures", "test_architecture"]
PARTS["search"] = [*SEARCHED, TESTED]


rule share_search:
    message:
        "Training architectures, replicate {wildcards.replicate}, worker {wildcards.worker}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        share="<results>/parts/search/{replicate}-{worker}.txt",
    params:
        code=digest_of("scripts/share_search.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE)),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/share_search/{replicate}-{worker}.log",
    wildcard_constraints:
        replicate=r"\d+",
        worker=r"\d+",
    threads: SEARCH_THREADS
    resources:
        mem_mb=SEARCH["memory"],
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} scripts/share_search.py \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --replicate {wildcards.replicate:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.share:q} \
            2>&1 | tee {log:q}
        """


rule search_architectures:
    message:
        "Searching among architectures, replicate {wildcards.replicate}"
    input:
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
        shares=expand(
            "<results>/parts/search/{replicate}-{worker}.txt", worker=WORKERS, allow_missing=True
        ),
    output:
        record="<results>/parts/search/{replicate}.json",
    params:
        code=digest_of("scripts/search_architectures.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, "least-accuracy", "sampler-seeds", "startup")),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/search_architectures/{replicate}.log",
    wildcard_constraints:
        replicate=r"\d+",
    threads: SEARCH_THREADS
    resources:
        mem_mb=SEARCH["memory"],
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} scripts/search_architectures.py \
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
        "Testing the architecture that the search chose"
    input:
        parts=SEARCHED,
        tokens=TOKENS,
        encoder=rules.fetch_encoder.output,
    output:
        record=TESTED,
    params:
        code=digest_of("scripts/test_architecture.py"),
        software=locked("train"),
        encoder=lambda wildcards, input: os.path.dirname(input.encoder[0]),
        sizes=flags(some(SEARCH, *TRAINED_ALIKE, "noise-seeds")),
        shared=shared("seed"),
        studies=STUDIES,
        device=TRAINING_DEVICE,
    log:
        "<logs>/test_architecture.log",
    threads: SEARCH_THREADS
    resources:
        mem_mb=SEARCH["memory"],
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {params.code:q} scripts/test_architecture.py \
            --parts {input.parts:q} \
            --tokens {input.tokens:q} \
            --encoder {params.encoder:q} \
            {params.sizes:q} \
            {params.shared:q} \
            --studies {params.studies:q} \
            --device {params.device:q} \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
