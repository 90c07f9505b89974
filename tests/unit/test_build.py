"""A package that is not as it was built loses its manifest, and is built again."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.setup.build import forget_damaged


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """The manifest of a package of two files."""
    files = {"package/__init__.py": b"import lib", "package/lib.so": b"\x7fELF"}
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    path = tmp_path / "manifest.json"
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    path.write_text(json.dumps(hashes))
    return path


def test_an_intact_package_keeps_its_manifest(manifest: Path) -> None:
    assert forget_damaged(manifest) == ""
    assert manifest.exists()


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda folder: (folder / "package/lib.so").unlink(), "package/lib.so"),
        (lambda folder: (folder / "package/lib.so").write_bytes(b""), "package/lib.so"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json"),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "manifest.json"),
    ],
    ids=["deleted", "truncated", "no JSON", "no manifest"],
)
def test_a_damaged_package_is_named_and_forgotten(
    manifest: Path, damage: Callable[[Path], object], named: str
) -> None:
    damage(manifest.parent)
    assert f"{named} is not as it was built; it is built again" in forget_damaged(manifest)
    assert not manifest.exists()


def test_what_was_never_built_is_not_damaged(tmp_path: Path) -> None:
    assert forget_damaged(tmp_path / "manifest.json") == ""
