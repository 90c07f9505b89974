"""Print every setting: its value in each preset, its unit, what it means, and what is allowed."""

import argparse
from pathlib import Path

import yaml

from labs.setup.config import check, check_syntax
from labs.setup.table import table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--config", type=Path, default=Path("config.yaml"), help="the settings, config.yaml"
    )
    arguments = parser.parse_args()
    check_syntax(arguments.config)
    config = yaml.safe_load(arguments.config.read_text(encoding="utf-8"))
    check(config)
    print(table(config))


if __name__ == "__main__":
    main()
