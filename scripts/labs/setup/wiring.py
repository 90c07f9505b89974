"""Whether what an experiment needs outside of its folder is there, before any job starts."""

from collections.abc import Collection, Iterable
from pathlib import Path

import yaml

from labs.setup.config import ConfigError
from labs.setup.discovery import jobs

RULES = Path("workflow", "rules", "experiments")


def check_wiring(run: Collection[str], questions: Iterable[str], templates: Path) -> None:
    """Raise ConfigError for an experiment that no rule runs, or a question without a template.

    ``run`` are the experiments that rules run, ``questions`` the files with questions.
    """
    for name in jobs():
        if name not in run:
            raise ConfigError(f"no rule runs the experiment {name}: write {RULES / name}.smk")
    for file in questions:
        for question in yaml.safe_load(Path(file).read_text(encoding="utf-8")):
            answer = templates / question["answer"]
            if not answer.is_file():
                raise ConfigError(f"{file}: {question['id']} has no template: write {answer}")
