"""Studies in a real PostgreSQL server; skipped where there is none, or no psycopg to reach it."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from labs.records.names.studies import GRID, NSGA2, TPE
from labs.studies.database import VARIABLE
from tests.study_program import CELLS, journal
from tests.workflow.test_searches import PATIENCE, finish, kill, start

PASSWORD = "hidden-Pa55"
# The server refuses to run as root.
OWNER = "postgres" if os.getuid() == 0 else None


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server of its own."""

    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://labs:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def run(self, *command: str) -> None:
        subprocess.run(command, user=OWNER, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.folder / "db"), "-o", options, "-l", log, "-w", "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "db"), "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that runs."""
    pytest.importorskip("psycopg")
    if shutil.which("initdb") is None:
        pytest.skip("no PostgreSQL server")
    # In pytest's own folders only their owner may look.
    folder = Path(tempfile.mkdtemp())
    if OWNER:
        shutil.chown(folder, OWNER)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        one = Server(folder, free.getsockname()[1])
    (folder / "password").write_text(PASSWORD)
    (folder / "password").chmod(0o644)
    names = ("-U", "labs", "-A", "scram-sha-256", f"--pwfile={folder / 'password'}")
    one.run("initdb", "-D", str(folder / "db"), *names)
    one.start()
    yield one
    one.stop()
    shutil.rmtree(folder)


@pytest.fixture
def shared(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server, named in the environment."""
    monkeypatch.setenv(VARIABLE, server.url)
    return server


@pytest.mark.parametrize(("sampler", "directions"), [(TPE, 1), (NSGA2, 2)])
def test_kills_change_no_trial_and_a_file_has_the_same(
    sampler: str, directions: int, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    in_file = finish(start(tmp_path / "file", sampler, "--directions", directions))
    monkeypatch.setenv(VARIABLE, server.url)
    moments = random.Random(sampler)
    evaluations = tmp_path / "killed" / "evaluations"
    for _ in range(5):
        before = len(list(evaluations.glob("*.json")))
        process = start(tmp_path / "killed", sampler, "--directions", directions, "--seconds", 0.05)
        while len(list(evaluations.glob("*.json"))) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.uniform(0.0, 0.1))
        assert kill(process), "it ended before it was killed"
    assert finish(start(tmp_path / "killed", sampler, "--directions", directions)) == in_file
    assert not list(tmp_path.glob("killed/*.journal"))


def test_two_workers_run_exactly_as_many_trials_as_were_asked_for(
    shared: Server, tmp_path: Path
) -> None:
    processes = [start(tmp_path, GRID, "--seconds", 0.1) for _ in range(2)]
    first, second = map(finish, processes)
    assert first == second
    trials = journal(tmp_path, GRID).open().get_trials()
    assert [trial.state.name for trial in trials] == ["COMPLETE"] * CELLS
    assert len({str(trial.params) for trial in trials}) == CELLS
    assert len({trial.user_attrs["worker"] for trial in trials}) == 2, "one did it all"


def test_a_server_that_goes_ends_the_study_with_one_line_without_the_password(
    shared: Server, tmp_path: Path
) -> None:
    wanted = ("--wanted", 6)
    process = start(tmp_path, NSGA2, *wanted, "--seconds", 0.5)
    while not list(tmp_path.glob("evaluations/*.json")) and process.poll() is None:
        time.sleep(0.01)
    shared.stop()
    try:
        complaint = process.communicate(timeout=PATIENCE)[1]
        refused = start(tmp_path, NSGA2, *wanted).communicate(timeout=PATIENCE)[1]
    finally:
        shared.start()
    for said in (complaint, refused):
        line = said.splitlines()[-1]
        assert line.startswith(
            f"error: the database 127.0.0.1:{shared.port}/postgres of {VARIABLE}"
        )
        assert "Traceback" not in said and PASSWORD not in said
    assert len(refused.splitlines()) == 1
    assert len(finish(start(tmp_path, NSGA2, *wanted))) == 6
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert written and PASSWORD.encode() not in written
