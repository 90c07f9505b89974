"""A logger plugin of Snakemake: says how long a run will still take, or keeps the jobs of a plan.

    snakemake --logger labs --logger-labs-preset quick ...      says so after each job
    snakemake --logger labs --logger-labs-jobs FILE -n ...      writes a line of JSON for each job

Snakemake finds it where scripts/ is on PYTHONPATH. It hears what Snakemake logs, and adds to it;
what is printed, and how, stays Snakemake's.
"""

# Snakemake reads the types of the settings: no `from __future__ import annotations` here.
import json
from dataclasses import dataclass, field
from logging import LogRecord
from pathlib import Path

from snakemake.logging import logger
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from labs.setup.progress import Progress

KEPT = ("rule_name", "rule_msg", "threads", "input", "output", "log", "shellcmd")
"""What is kept of a job, as the interface names it."""


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """What is to be said or kept."""

    preset: str = field(
        default="", metadata={"help": "Say how long the run, of this preset, will still take."}
    )
    jobs: str = field(default="", metadata={"help": "Write the jobs of a dry run to this file."})


class LogHandler(LogHandlerBase):
    """What Snakemake calls with all that it logs."""

    settings: LogHandlerSettings

    def __post_init__(self) -> None:
        preset = self.settings.preset
        self.progress = Progress.of_preset(preset) if preset else None

    def emit(self, record: LogRecord) -> None:
        """Hear of an event."""
        event, told = getattr(record, "event", None), vars(record)
        if self.settings.jobs and event == LogEvent.JOB_INFO:
            with Path(self.settings.jobs).open("a", encoding="utf-8") as file:
                file.write(json.dumps({name: told[name] for name in KEPT}) + "\n")
        if self.progress and (words := self.progress.hear(event, told, record.created)):
            logger.info(words)

    writes_to_stream = False
    # What it writes is no log.
    writes_to_file = False
    # It hears all that is logged, whatever is printed of it.
    has_filter = True
    has_formatter = True
    needs_rulegraph = False
