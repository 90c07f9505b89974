"""Render the report's HTML file as an accessible PDF."""

import argparse
import gc
import sys
from pathlib import Path

from labs.files import reading, write_bytes
from reporting import ReportError, pdf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--html", type=Path, required=True, metavar="FILE", help="report.html")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="PDF file to write"
    )
    parser.add_argument(
        "--attachments",
        type=Path,
        nargs="*",
        default=[],
        metavar="FILE",
        help="files that the PDF brings with it, if its text names them",
    )
    args = parser.parse_args()
    # The process ends after one document; garbage collection would take a quarter of its time.
    gc.disable()
    try:
        files = {path.name: path.read_bytes() for path in args.attachments}
        with reading(args.html, ValueError):
            html = args.html.read_text(encoding="utf-8")
            if not html.rstrip().endswith("</html>"):
                raise ValueError("its end is missing")
        data = pdf.render(html, files)
    except (ReportError, OSError) as error:
        sys.exit(f"render_pdf: {error}")
    write_bytes(args.output, data)


if __name__ == "__main__":
    main()
