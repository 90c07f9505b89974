"""What other programs print."""

import os
import subprocess


def output_of(*command: str) -> str:
    """Return what a program prints, in English; nothing where it is absent or fails."""
    try:
        done = subprocess.run(
            command,
            env=os.environ | {"LC_ALL": "C"},
            capture_output=True,
            errors="replace",
            timeout=60,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
