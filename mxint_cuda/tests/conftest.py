"""The package under test: the one that Python finds, or else a fresh build of this folder."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cuda_on_host.library import OnHost

PROJECT = Path(__file__).parents[1]
ROOT = PROJECT.parent
sys.path[:0] = [str(Path(__file__).parent), str(PROJECT / "bench")]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: runs on an NVIDIA GPU")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Build before the tests are collected: they import the package."""
    if "CUDA_ON_HOST" in os.environ:  # by cuda_on_host/mutants.py, for tests that do not
        return
    sys.modules.pop("mxint_cuda", None)  # pytest may have made this folder a package
    spec = importlib.util.find_spec("mxint_cuda")
    if spec is not None and spec.origin is not None:  # without an origin it is a mere folder
        return
    program = ROOT / "scripts" / "build_mxint_cuda.py"
    if not program.exists():
        raise pytest.UsageError("install the package first: pip install ./mxint_cuda")
    scratch = tempfile.TemporaryDirectory(prefix="mxint_cuda-")
    session.config.add_cleanup(scratch.cleanup)
    folder = Path(scratch.name) / "build"
    command = [sys.executable, str(program), "--source", str(PROJECT)]
    command += ["--cutlass", str(ROOT / "results" / "data" / "cutlass")]
    command += ["--output", str(folder / "manifest.json")]
    # Without a GPU nothing runs the machine code; that PTX is made shows that the kernels compile.
    architectures = "" if has_gpu() else "-DCMAKE_CUDA_ARCHITECTURES=90-virtual"
    emulated = f"-DMXINT_EMULATE={';'.join(lacking_levels())}"
    options = f"{os.environ.get('CMAKE_ARGS', '')} {architectures} {emulated}"
    environment = os.environ | {"CMAKE_ARGS": options}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise pytest.UsageError(f"mxint_cuda does not build:\n{done.stdout}{done.stderr}"[-20000:])
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    importlib.invalidate_caches()


@pytest.fixture(params=["portable", "avx2", "avxvnni", "avx512", "amx"])
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    """An instruction set of the CPU kernels, put to use for one test."""
    from mxint_cuda.functional import cpu_level

    best = cpu_level()
    if cpu_level(request.param) != request.param:
        pytest.skip(f"this processor has no {request.param}")
    yield request.param
    cpu_level(best)


@pytest.fixture(scope="session", params=["cuda_on_host", "ptx_on_host"])
def on_host_library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The CUDA kernels for the CPU, by g++ and from nvcc's PTX; or those the environment names."""
    if "CUDA_ON_HOST" in os.environ:
        named = Path(os.environ["CUDA_ON_HOST"])
        if request.param not in named.name:
            pytest.skip(f"the environment names {named.name}")
        return named
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for tool in ("g++", "cmake", "ninja", *(["nvcc"] if "ptx" in request.param else [])):
        if shutil.which(tool, path=path) is None:
            pytest.skip(f"there is no {tool} here")
    from cuda_on_host.library import build

    return build(tmp_path_factory.getbasetemp() / "on_host", library=request.param)


@pytest.fixture
def on_host(on_host_library: Path) -> OnHost:
    """The CUDA kernels on the CPU."""
    from cuda_on_host.library import OnHost

    return OnHost(on_host_library)


@contextmanager
def flushing() -> Iterator[None]:
    """This thread flushes subnormal numbers to zero; torch's others do not."""
    import torch

    if not torch.set_flush_denormal(True):
        pytest.skip("this processor has no such mode")
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def everywhere(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test with each instruction set, and on each device."""
    return pytest.mark.usefixtures("level")(pytest.mark.parametrize("device", devices())(test))


def devices() -> list[Any]:
    """The devices that can be tested here; tests on a GPU have the mark ``gpu``."""
    return ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)] if has_gpu() else ["cpu"]


def lacking_levels() -> list[str]:
    """Instruction sets of the CPU kernels that this processor lacks and the emulator provides."""
    processor = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    flags = {"avxvnni": "avx_vnni", "avx512": "avx512_vnni", "amx": "amx_bf16"}
    return [level for level, flag in flags.items() if flag not in processor]


def has_gpu() -> bool:
    import torch

    return torch.cuda.is_available()
