"""Print every setting: its value in each preset, its unit, what it means, and what is allowed."""

import argparse
from pathlib import Path

from labs.setup.config import check_syntax, read, settings_of
from labs.setup.table import table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--config", type=Path, default=Path("config.yaml"), help="the settings, config.yaml"
    )
    arguments = parser.parse_args()
    check_syntax(arguments.config)
    print(table(settings_of(read(arguments.config))))


if __name__ == "__main__":
    main()
