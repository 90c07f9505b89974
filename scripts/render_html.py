"""Render the report as one self-contained HTML file."""

import argparse
import sys
from pathlib import Path

from labs.files import write_text
from reporting import ReportError
from reporting.html import Report
from reporting.reading import load, read_lab_sizes
from reporting.stylesheet import characters, coded, stylesheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, kind, words in (
        ("tables", "DIR", "folder of the CSV files"),
        ("claims", "FILE", "claims.json"),
        ("published", "FILE", "published.yaml"),
        ("lab-sizes", "FILE", "lab_sizes.yaml"),
        ("config", "FILE", "config.yaml, for its presets"),
        ("templates", "DIR", "folder of templates"),
        ("style", "DIR", "folder of style sheets"),
        ("fonts", "DIR", "folder of fonts"),
        ("output", "FILE", "HTML file to write"),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar=kind, help=words)
    of_labs = "questions.yaml, then the question.yaml of experiments that answer one of their own"
    parser.add_argument("--questions", type=Path, nargs="+", required=True, help=of_labs)
    beside = "SVG files, each with a JSON file of the same name that holds its 'alt'"
    parser.add_argument("--figures", type=Path, nargs="*", default=[], metavar="FILE", help=beside)
    otherwise = "what this run sets otherwise than config.yaml does, as search.reviews=2000"
    parser.add_argument("--changed", nargs="*", default=[], metavar="NAME=VALUE", help=otherwise)
    parser.add_argument("--preset", required=True, help="name of the preset; smoke is watermarked")
    args = parser.parse_args()
    try:
        lab = read_lab_sizes(args.lab_sizes, args.config, args.preset, args.changed)
        evidence = load(args.tables, args.figures, args.claims, args.questions, args.published, lab)
        css = stylesheet(args.style, args.fonts)
        html = coded(
            Report(evidence, args.templates, args.preset).render(css), characters(args.fonts)
        )
    except ReportError as error:
        sys.exit(f"render_html: {error}")
    write_text(args.output, html)


if __name__ == "__main__":
    main()
