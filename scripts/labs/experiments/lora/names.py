"""The starts and the arms of the LoRA experiment."""

ENCODER, EMBEDDINGS = "encoder", "embeddings"
"""Where every arm starts: a pretrained encoder, or random layers on its word embeddings."""

UNTRAINED, SFT, LORA = "untrained", "SFT", "LoRA"
SFT_LORA, SFT_SFT = "SFT, then LoRA", "SFT, then SFT"
NO_BIASES, MASE = "SFT, biases dropped", "SFT, MASE's adapters inserted"
MERGED, UNMERGED = "LoRA, merged", "LoRA, unmerged"
"""The last epoch's adapters, in the weights and beside them."""

ARMS = (UNTRAINED, SFT, LORA, SFT_LORA, SFT_SFT, NO_BIASES, MASE)

TABLES = ("lora_arms", "lora_seeds")
FIGURES = ("lora_accuracy",)
