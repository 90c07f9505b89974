"""Render the report as one self-contained HTML file."""

import argparse
import sys
from pathlib import Path

from labs.files import write_text
from reporting import ReportError
from reporting.html import Report
from reporting.reading import load, read_lab_sizes
from reporting.stylesheet import stylesheet


def main() -> None:
    """Read the evidence, fill the templates, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tables", type=Path, required=True, metavar="DIR", help="folder of the CSV files"
    )
    parser.add_argument(
        "--figures",
        type=Path,
        nargs="*",
        default=[],
        metavar="FILE",
        help="SVG files, each with a JSON file of the same name that holds its 'alt'",
    )
    parser.add_argument("--claims", type=Path, required=True, metavar="FILE", help="claims.json")
    parser.add_argument(
        "--questions", type=Path, required=True, metavar="FILE", help="questions.yaml"
    )
    parser.add_argument(
        "--published", type=Path, required=True, metavar="FILE", help="published.yaml"
    )
    parser.add_argument(
        "--lab-sizes", type=Path, required=True, metavar="FILE", help="lab_sizes.yaml"
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="FILE", help="config.yaml, for its presets"
    )
    parser.add_argument(
        "--changed",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="what this run sets otherwise than config.yaml does, as search.reviews=2000",
    )
    parser.add_argument(
        "--templates", type=Path, required=True, metavar="DIR", help="folder of templates"
    )
    parser.add_argument(
        "--style", type=Path, required=True, metavar="DIR", help="folder of style sheets"
    )
    parser.add_argument("--fonts", type=Path, required=True, metavar="DIR", help="folder of fonts")
    parser.add_argument("--preset", required=True, help="name of the preset; smoke is watermarked")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="HTML file to write"
    )
    args = parser.parse_args()
    try:
        lab = read_lab_sizes(args.lab_sizes, args.config, args.preset, args.changed)
        evidence = load(args.tables, args.figures, args.claims, args.questions, args.published, lab)
        css = stylesheet(args.style, args.fonts)
        html = Report(evidence, args.templates, args.preset).render(css)
    except ReportError as error:
        sys.exit(f"render_html: {error}")
    write_text(args.output, html)


if __name__ == "__main__":
    main()
