"""The library that turns tables, figures and claims into the report: HTML first, then PDF."""


class ReportError(ValueError):
    """Something a report needs is missing or wrong; the message names it and the remedy."""
