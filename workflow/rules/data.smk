"""
Fetch the reviews, the pretrained encoder and its vocabulary; tokenize the reviews.

REQUIRED INPUTS:

    none; with data.source: path, the Parquet file that data.name gives

OUTPUTS:

    reviews = results/data/reviews.parquet: text, label, split
    encoder = results/data/encoder/{config.json,model.safetensors,vocab.txt}
    tokens  = results/data/tokens.parquet: tokens, label, split

All presets share what is fetched. It is fetched on the machine where Snakemake was started: the
nodes of a cluster often have no network.
"""

REVIEWS = "results/data/reviews.parquet"
TOKENS = "results/data/tokens.parquet"
ENCODER = "results/data/encoder"
VOCABULARY = f"{ENCODER}/vocab.txt"
# The files of the model that training starts from, where they lie on this machine.
FIRST_WEIGHTS = (
    [f"{config['model']['name']}/{file}" for file in ("config.json", "model.safetensors")]
    if config["model"]["source"] == "path"
    else []
)


# What is fetched is compared with a known hash, so the software that fetches it does not matter.
rule fetch_reviews:
    message:
        "Fetching the reviews"
    input:
        file=[config["data"]["name"]] if config["data"]["source"] == "path" else [],
    output:
        reviews=REVIEWS,
    params:
        program=unchanged("scripts/fetch_reviews.py"),
        source=config["data"]["source"],
        name=config["data"]["name"],
    log:
        "<logs>/fetch_reviews.log",
    localrule: True
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --source {params.source:q} \
            --name {params.name:q} \
            --output {output.reviews:q} \
            2>&1 | tee {log:q}
        """


rule fetch_encoder:
    message:
        "Fetching the pretrained encoder"
    output:
        config=f"{ENCODER}/config.json",
        weights=f"{ENCODER}/model.safetensors",
        vocabulary=VOCABULARY,
        sums="results/data/sums/fetch_encoder.sha256",
    params:
        program=unchanged("scripts/fetch_encoder.py"),
        folder=folder_of_outputs,
    log:
        "<logs>/fetch_encoder.log",
    localrule: True
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --output-dir {params.folder:q} \
            2>&1 | tee {log:q}
        sha256sum {output.config:q} {output.weights:q} {output.vocabulary:q} >{output.sums:q}
        """


rule tokenize_reviews:
    message:
        "Tokenizing the reviews"
    input:
        reviews=REVIEWS,
        vocabulary=VOCABULARY,
    output:
        tokens=TOKENS,
    params:
        program=unchanged("scripts/tokenize_reviews.py"),
        software=locked("train"),
    log:
        "<logs>/tokenize_reviews.log",
    conda:
        "../../envs/train.yaml"
    shell:
        """
        python scripts/run_unchanged.py {log:q} {params.program:q} \
            --reviews {input.reviews:q} \
            --vocabulary {input.vocabulary:q} \
            --output {output.tokens:q} \
            2>&1 | tee {log:q}
        """
