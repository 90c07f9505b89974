"""The report in a real browser: Chromium, where there is one."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
PHONE, DESKTOP = 390, 1400
"""Widths of windows, in pixels."""


def found(page: Path, script: str, width: int = DESKTOP, dark: bool = False) -> Any:
    """What a script returns that runs in the loaded page, in a window so many pixels wide."""
    assert CHROMIUM
    text = page.read_text(encoding="utf-8")
    run = (
        "<script>const errors = []; addEventListener('error', (e) => errors.push(e.message));"
        "</script>",
        "<script>(async () => { const say = (it) => document.body.dataset.found ="
        f" JSON.stringify(it); try {{ say(await (async () => {{ {script} }})()); }}"
        " catch (error) { say(String(error)); } })();</script>",
    )
    text = text.replace("</head>", f"{run[0]}</head>").replace("</body>", f"{run[1]}</body>")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "page.html"
        copy.write_text(text, encoding="utf-8")
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
        command += [f"--user-data-dir={folder}/profile", f"--window-size={width},900"]
        command += ["--blink-settings=preferredColorScheme=0"] if dark else []
        command += ["--virtual-time-budget=20000", copy.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    said = re.search(r'<body[^>]* data-found="([^"]*)"', done.stdout)
    assert said, done.stderr[-2000:]
    return json.loads(html.unescape(said[1]))
