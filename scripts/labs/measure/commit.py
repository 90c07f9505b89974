"""The commit that the code of a measurement was checked out from, and whether it was edited."""

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]
MEASURED = ("scripts", "mxint_cuda")
NONE = "no repository"


def commit(root: Path = ROOT) -> dict[str, str]:
    """Return the commit, and a hash of what differs from it, new files included ("clean" if none).

    Where the project lies without its history in a folder of another repository, there is none.
    """

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=root, capture_output=True, check=True).stdout

    try:
        top = Path(git("rev-parse", "--show-toplevel").decode().removesuffix("\n"))
        if not top.samefile(root):
            return {"commit": NONE, "changes": NONE}
        head = git("rev-parse", "HEAD").decode().strip()
        changed = git("diff", "HEAD", "--", *MEASURED)
        new = git("ls-files", "-z", "--others", "--exclude-standard", "--", *MEASURED)
    except (OSError, subprocess.CalledProcessError):
        return {"commit": NONE, "changes": NONE}
    names = [name for name in new.decode().split("\0") if name]
    changed += b"".join(name.encode() + (root / name).read_bytes() for name in names)
    words = hashlib.sha256(changed).hexdigest()[:12] if changed else "clean"
    return {"commit": head, "changes": words}
