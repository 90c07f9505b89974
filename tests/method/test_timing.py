"""The program that tries the rules of timing runs, and finds what was planted."""

import re
import sys
from functools import partial

import pytest

from labs.measure.quiet import QuietStart
from tests.method import check_timing


def test_the_rules_of_timing_find_what_was_planted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = "--comparisons 1 --processes 2 --budget 0 --rounds 1 --longer 3 --threads 1"
    monkeypatch.setattr(sys, "argv", ["check_timing.py", *asked.split()])
    # It would wait for a minute where others are at work.
    monkeypatch.setattr(check_timing, "QuietStart", partial(QuietStart, longest=0))
    check_timing.main()
    found = re.search(r"ratio with all samples: ([\d.]+)", capsys.readouterr().out)
    assert found
    assert 2 < float(found[1]) < 4.5
