"""Build for the CPU with AddressSanitizer and UBSan, and run the tests with that build.

It ends at the first thing that is found, with the sanitizer's report.  Arguments go to pytest.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).parent
PROJECT = TESTS.parent
SANITIZERS = "address,undefined"
WITH_NVCC = (
    "test_torch.py::test_where_there_is_nvcc_the_cuda_kernels_are_registered",
    "test_bench.py::test_every_kernel_of_the_table_is_in_its_source",
)
RUNTIMES = ("libasan.so", "libstdc++.so.6")
"""What must be loaded before Python, which itself is not built with them: GCC's names."""


def main() -> int:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "CXX": "g++"}
    with tempfile.TemporaryDirectory(prefix="mxint_cuda-") as folder:
        build(Path(folder), environment)
        environment |= {
            "PYTHONPATH": folder,
            "LD_PRELOAD": " ".join(runtime(name) for name in RUNTIMES),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps much until its end
        }
        command = [sys.executable, "-m", "pytest", "-q", "--capture=sys", str(TESTS)]
        # These are about other builds; and nvcc does not bear what is loaded before it.
        command += [f"--ignore-glob={TESTS}/test_cuda_*.py", f"--rootdir={TESTS}"]
        command += [f"--deselect={test}" for test in WITH_NVCC]
        return subprocess.run([*command, *sys.argv[1:]], env=environment).returncode


def build(folder: Path, environment: dict[str, str]) -> None:
    """Put an importable package into the folder."""
    work = folder / "build"
    # The emulator reads and writes lane by lane, so that what AVX-512 does with masks is seen, too,
    # and AMX with tiles.
    define = [f"-DMXINT_SANITIZE={SANITIZERS}", "-DMXINT_EMULATE=avxvnni;avx512;amx"]
    define += ["-DCMAKE_CUDA_COMPILER=NOTFOUND"]
    define += ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
    for command in (
        ["cmake", "-G", "Ninja", "-S", str(PROJECT), "-B", str(work), *define],
        ["cmake", "--build", str(work)],
        ["cmake", "--install", str(work), "--prefix", str(folder)],
    ):
        subprocess.run(command, env=environment, check=True)
    package = PROJECT / "python" / "mxint_cuda"
    shutil.copytree(package, folder / "mxint_cuda", dirs_exist_ok=True)


def runtime(name: str) -> str:
    """Return the path of a library of GCC's."""
    command = ["g++", f"-print-file-name={name}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
