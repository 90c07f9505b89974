"""What Snakemake calls of conda, on rattler's solver and linker: a program, run by bin/conda.

    command.py ROOT --version
    command.py ROOT info --json
    command.py ROOT config --get channel_priority --json
    command.py ROOT env create --file FILE --prefix PREFIX
    command.py ROOT clean -y --tarballs

ROOT is where conda would be installed.  Its .condarc gives the channels' address, its pkgs/ keeps
unpacked packages.  An environment file needs its channels, and packages with ranges.
"""

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path

import rattler
import yaml
from rattler.platform import Platform

VERSION = "24.7.1"
"""The oldest that Snakemake takes."""


async def create(root: Path, file: Path, prefix: Path) -> None:
    """Solve an environment file, and link its packages into a prefix."""
    wanted = yaml.safe_load(file.read_text())
    alias = yaml.safe_load((root / ".condarc").read_text())["channel_alias"]
    address = rattler.ChannelConfig(channel_alias=alias)
    channels = [name for name in wanted["channels"] if name != "nodefaults"]
    packages = await rattler.solve(
        [rattler.Channel(name, address) for name in channels],
        wanted["dependencies"],
        gateway=rattler.Gateway(cache_dir=root / "pkgs" / "cache"),
        virtual_packages=rattler.VirtualPackage.detect(),
    )
    await rattler.install(
        packages, target_prefix=prefix, cache_dir=root / "pkgs", show_progress=False
    )


def run(root: Path, arguments: list[str]) -> None:
    """Do what conda does with these arguments. Raises SystemExit for any not among the above."""
    match arguments:
        case ["--version"]:
            print(f"conda {VERSION}")
        case ["info", "--json"]:
            print(json.dumps({"conda_prefix": str(root), "platform": str(Platform.current())}))
        case ["config", "--get", "channel_priority", "--json"]:
            print(json.dumps({"get": {"channel_priority": "strict"}}))
        case ["env", "create", *options]:
            parser = argparse.ArgumentParser()
            parser.add_argument("--file", type=Path, required=True)
            parser.add_argument("--prefix", type=Path, required=True)
            parser.add_argument("--quiet", action="store_true")
            parser.add_argument("--no-default-packages", action="store_true")
            given = parser.parse_args(options)
            asyncio.run(create(root, given.file, given.prefix))
        case ["clean", "-y", "--tarballs"]:
            pass  # The channel's are on this machine, and no copy is made.
        case _:
            raise SystemExit(f"error: the stand-in for conda does not know {arguments}")


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.flush()
    # rattler's threads outlive its work, and one that frees a Python object while the interpreter
    # ends crashes it: without this line, some calls did, without a word.
    os._exit(0)
