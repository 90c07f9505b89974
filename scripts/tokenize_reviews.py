"""Split every review into BERT's WordPiece tokens; write one Parquet file."""

import argparse
from pathlib import Path

from labs.data.tokens import tokenize


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=Path, required=True, help="Parquet: text, label, split")
    parser.add_argument("--vocabulary", type=Path, required=True, help="vocab.txt")
    parser.add_argument("--output", type=Path, required=True, help="Parquet: tokens, label, split")
    arguments = parser.parse_args()
    tokenize(arguments.reviews, arguments.vocabulary, arguments.output)


if __name__ == "__main__":
    main()
