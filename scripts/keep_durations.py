"""Keep how long the jobs of a finished run took, for whoever runs the preset for the first time."""

import argparse
from datetime import date

import psutil
import yaml

from labs.files import write_text
from labs.measure.processor import this_kind
from labs.setup.durations import mean_seconds, rate, runs_by_rule
from labs.setup.progress import KEPT

COMMENT = """\
# How long a job of each rule took, in s, and how many ran side by side on average.
# Written by scripts/keep_durations.py; read by make report, which says how long it will take.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", required=True, help="of the run, which was made in this folder")
    preset = parser.parse_args().preset
    ran = [run for runs in runs_by_rule(preset).values() for run in runs]
    if not ran:
        raise SystemExit(f"error: no job of {preset} has run here; make report PRESET={preset}")
    kept = yaml.safe_load(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"presets": {}}
    kept["presets"][preset] = {
        "machine": f"{this_kind()}, {psutil.cpu_count()} cores",
        "kept": date.today().isoformat(),
        "rate": round(rate(ran), 2),
        "seconds": {rule: round(each, 1) for rule, each in mean_seconds(preset).items()},
    }
    write_text(
        KEPT, COMMENT + yaml.safe_dump(kept, sort_keys=False, default_flow_style=None, width=80)
    )


if __name__ == "__main__":
    main()
