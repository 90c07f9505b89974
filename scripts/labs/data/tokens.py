"""BERT's word pieces of every review, made once for all jobs that train."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from labs.files import write_bytes

LONGEST = 512
"""Positions that a BERT knows; what a review holds beyond is cut off, as in the labs."""


def tokenize(reviews: Path, vocabulary: Path, path: Path) -> None:
    """Write the tokens of a Parquet file of reviews as Parquet: tokens, label and split.

    The tokens begin with [CLS], end with [SEP] and are at most LONGEST. Lower case, as the
    vocabulary of bert-base-uncased wants it.
    """
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(LONGEST)
    table = parquet.read_table(reviews)
    encoded = tokenizer.encode_batch(table["text"].to_pylist())
    tokens = pa.array([one.ids for one in encoded], pa.list_(pa.uint16()))
    buffer = io.BytesIO()
    parquet.write_table(
        table.drop_columns(["text"]).append_column("tokens", tokens), buffer, compression="zstd"
    )
    write_bytes(path, buffer.getvalue())
