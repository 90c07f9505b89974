"""The base model, and the same without an attention mask."""

ARM, NO_MASK = "BERT-tiny", "BERT-tiny, no mask"
PADDED = "padded"
"""The validation reviews that are shorter than the others of their batch."""

ENOUGH = 0.8
"""The share of right answers above which the model has learnt what the other labs stand on."""

TABLES = ("base_model_epochs",)
