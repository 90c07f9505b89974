"""Print every setting: its value in each preset, its unit, what it means, and what is allowed."""

import argparse

from labs.setup.config import check_syntax, read, settings_of
from labs.setup.table import table


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    check_syntax("config.yaml")
    print(table(settings_of(read("config.yaml"))))


if __name__ == "__main__":
    main()
