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
"""Widths of frames, in pixels."""


def found(page: Path, script: str, width: int = DESKTOP, dark: bool = False) -> Any:
    """What a script returns that runs in the loaded page, in a frame so many pixels wide.

    Chromium's own windows are no narrower than 500.
    """
    assert CHROMIUM
    text = page.read_text(encoding="utf-8")
    run = (
        "<script>const errors = []; addEventListener('error', (e) => errors.push(e.message));"
        "</script>",
        "<script>(async () => { const say = (it) => parent.postMessage(JSON.stringify(it), '*');"
        f" try {{ say(await (async () => {{ {script} }})()); }}"
        " catch (error) { say(String(error)); } })();</script>",
    )
    text = text.replace("</head>", f"{run[0]}</head>").replace("</body>", f"{run[1]}</body>")
    frame = (
        f'<!DOCTYPE html><body><iframe src="page.html" style="width: {width}px; height: 900px">'
        "</iframe><script>addEventListener('message', (e) => document.body.dataset.found = e.data)"
        "</script></body>"
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (Path(folder) / "page.html").write_text(text, encoding="utf-8")
        outer = Path(folder) / "frame.html"
        outer.write_text(frame, encoding="utf-8")
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
        command += [f"--user-data-dir={folder}/profile", f"--window-size={DESKTOP + 100},1000"]
        command += ["--blink-settings=preferredColorScheme=0"] if dark else []
        command += ["--virtual-time-budget=20000", outer.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    said = re.search(r'<body[^>]* data-found="([^"]*)"', done.stdout)
    assert said, done.stderr[-2000:]
    return json.loads(html.unescape(said[1]))
