"""Fetch the pretrained encoder and its vocabulary into a folder."""

import argparse
from pathlib import Path

from labs.data import encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output-dir",
        type=Path,
        required=True,
        help="folder for config.json, vocab.txt and model.safetensors",
    )
    encoder.fetch(parser.parse_args().output_dir)


if __name__ == "__main__":
    main()
