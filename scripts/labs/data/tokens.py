"""BERT's WordPiece tokens of every review, computed once for all training jobs."""

import io
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from labs.files import reading, write_bytes

LONGEST = 512
"""BERT's maximum sequence length; longer reviews are truncated, as in the labs."""


def tokenize(reviews: Path, vocabulary: Path, path: Path) -> None:
    """Tokenise a Parquet file of reviews; write Parquet with columns tokens, label and split.

    Each sequence starts with [CLS], ends with [SEP] and has at most LONGEST tokens. Text is
    lower-cased, as the vocabulary of bert-base-uncased requires.
    """
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(LONGEST)
    with reading(reviews, pa.ArrowException):
        table = parquet.read_table(reviews)
    encoded = tokenizer.encode_batch(table["text"].to_pylist())
    tokens = pa.array([one.ids for one in encoded], pa.list_(pa.uint16()))
    buffer = io.BytesIO()
    parquet.write_table(
        table.drop_columns(["text"]).append_column("tokens", tokens), buffer, compression="zstd"
    )
    write_bytes(path, buffer.getvalue())
