"""What nvcc makes of the kernels: PTX of conversions, of which a GPU does few at a time."""

import re

import pytest
from cuda_on_host.library import PTX, OnHost

pytestmark = pytest.mark.parametrize("on_host_library", [PTX], indirect=True)


def conversions(on_host: OnHost, source: str) -> set[str]:
    """Return the instructions that convert, in the kernels of a source file."""
    folder = on_host.path.parent / "translated" / source
    return set(re.findall(r"\bcvt\.[\w.]+", (folder / f"{source}.ptx").read_text()))


@pytest.mark.parametrize("source", ["linear", "linear_tensor"])
def test_layers_make_numbers_of_integers_without_converting_them(
    source: str, on_host: OnHost
) -> None:
    found = conversions(on_host, source)
    assert found and not {one for one in found if re.search(r"\.f(16|32)\.[su]\d", one)}
