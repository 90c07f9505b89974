"""The version of a package that is in use."""

from importlib import metadata, util
from pathlib import Path

from labs.records.record import NOT_REPORTED


def version(package: str) -> str:
    """Return the version of the package that an import takes, "absent" where there is none.

    Another version may lie in a folder that Python searches as well.
    """
    spec = util.find_spec(package)
    if spec is None or spec.origin is None:
        return "absent"
    found = metadata.distributions(name=package, path=[str(Path(spec.origin).parents[1])])
    return next((one.version for one in found), NOT_REPORTED)
