"""The commit that the code of a measurement was checked out from, and whether it was edited.

Neither the user's configuration of git nor the environment decides what is said: git is told where
the repository is, and reads every file, as its index is a new one.
"""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from labs.records.names.machine import NOT_REPORTED

ROOT = Path(__file__).parents[3]
MEASURED = ("scripts", "mxint_cuda")
NONE = "no repository"
CLEAN = "clean"

SETTINGS = (
    *("--git-dir=.git", "--work-tree=.", "-c", "core.fsmonitor=false"),
    *("-c", "core.autocrlf=false", "-c", "core.fileMode=false"),
)
# Files that .gitignore names are none of the project's; what a user ignores may be.
UNTRACKED = ("ls-files", "-z", "--others", "--exclude-per-directory=.gitignore")
EDITS = (
    *("diff", "HEAD", "--binary", "--unified=3", "--diff-algorithm=default", "--no-renames"),
    *("--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"),
)


def commit(root: Path = ROOT) -> dict[str, str]:
    """Return the commit, and a hash of how the measured files differ from it, CLEAN if they do not.

    NONE where the project lies without its history, also in a folder of another repository;
    NOT_REPORTED where it has one that git does not read.
    """
    if not (root / ".git").exists():
        return {"commit": NONE, "changes": NONE}
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        try:
            head = _git(root, index, "rev-parse", "--verify", "HEAD").decode().strip()
            _git(root, index, "read-tree", head)
            new = filter(None, _git(root, index, *UNTRACKED, "--", *MEASURED).split(b"\0"))
            _git(root, index, "add", "--intent-to-add", "--force", "--", *map(os.fsdecode, new))
            edits = _git(root, index, *EDITS, "--", *MEASURED)
        except (OSError, subprocess.CalledProcessError):
            return {"commit": NOT_REPORTED, "changes": NOT_REPORTED}
    return {"commit": head, "changes": hashlib.sha256(edits).hexdigest()[:12] if edits else CLEAN}


def _git(root: Path, index: Path, *words: str) -> bytes:
    """Return what git prints of the repository in a folder, whoever owns it."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    own |= {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_INDEX_FILE": str(index),
    }
    command = ["git", *SETTINGS, *words]
    return subprocess.run(command, cwd=root, env=own, capture_output=True, check=True).stdout
