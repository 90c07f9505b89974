"""The commit that the code of a measurement was checked out from, and whether it was edited.

Neither the user's configuration of git nor the environment decides what is said: files are compared
by their content with the commit's, and git is told where the repository is.
"""

import hashlib
import os
import subprocess
from pathlib import Path

from labs.records.record import NOT_REPORTED

ROOT = Path(__file__).parents[3]
MEASURED = ("scripts", "mxint_cuda")
NONE = "no repository"
CLEAN = "clean"


def commit(root: Path = ROOT) -> dict[str, str]:
    """Return the commit, and a hash of the measured files that differ from it, CLEAN if none do.

    NONE where the project lies without its history, also in a folder of another repository;
    NOT_REPORTED where it has one that git does not read.
    """
    if not (root / ".git").exists():
        return {"commit": NONE, "changes": NONE}
    try:
        head = _git(root, "rev-parse", "--verify", "HEAD").strip()
        entries = _git(root, "ls-tree", "-r", "-z", head, "--", *MEASURED).split("\0")
        # Those that .gitignore names are none of the project's; what a user ignores may be.
        new = _git(root, *_UNTRACKED, "--", *MEASURED).split("\0")
    except (OSError, subprocess.CalledProcessError):
        return {"commit": NOT_REPORTED, "changes": NOT_REPORTED}
    committed = dict(_entry(line) for line in entries if line)
    kind = "sha256" if len(head) == 64 else "sha1"
    found = {name: _hash(root / name, kind) for name in {*committed, *filter(None, new)}}
    changed = sorted(f"{name} {now}" for name, now in found.items() if now != committed.get(name))
    words = hashlib.sha256(os.fsencode("\n".join(changed))).hexdigest()[:12] if changed else CLEAN
    return {"commit": head, "changes": words}


_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-per-directory=.gitignore")


def _git(root: Path, *words: str) -> str:
    """Return what git prints of the repository in a folder, whoever owns it."""
    foreign = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "--git-dir=.git", "--work-tree=.", "-c", "core.fsmonitor=false", *words],
        cwd=root,
        env=foreign | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=True,
    )
    return done.stdout


def _entry(line: str) -> tuple[str, str]:
    """Return the name and the hash of a file in a commit: "<mode> blob <hash>TAB<name>"."""
    facts, name = line.split("\t", 1)
    return name, facts.split()[2]


def _hash(file: Path, kind: str) -> str:
    """Return the hash that git gives a file's content, of a link where it leads; "gone" if none."""
    if not file.is_symlink() and not file.is_file():
        return "gone"
    content = os.fsencode(os.readlink(file)) if file.is_symlink() else file.read_bytes()
    return hashlib.new(kind, b"blob %d\0" % len(content) + content).hexdigest()
