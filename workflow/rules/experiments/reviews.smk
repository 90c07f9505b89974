"""
Count the reviews, their lengths and their splits.

REQUIRED INPUTS:

    reviews = results/data/reviews.parquet
    tokens  = results/data/tokens.parquet

OUTPUTS:

    record = <results>/records/reviews.json
"""

RECORDS.append("<results>/records/reviews.json")


rule count_reviews:
    message:
        "Counting the reviews"
    input:
        reviews=REVIEWS,
        tokens=TOKENS,
    output:
        record="<results>/records/reviews.json",
    params:
        program=unchanged("scripts/count_reviews.py"),
        software=locked("train"),
        settings=flags(SIZES["base-model"], "batch-size") + shared("max-length", "seed"),
    log:
        "<logs>/count_reviews.log",
    resources:
        mem_mb=memory_of("reviews"),
    conda:
        "../../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --reviews {input.reviews:q} \
            --tokens {input.tokens:q} \
            {params.settings:q} \
            --device cpu \
            --threads {threads:q} \
            --output {output.record:q} \
            2>&1 | tee {log:q}
        """
