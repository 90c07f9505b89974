"""nvcc and nvdisasm: what they make of a source file's kernels."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from machine_code import Function, functions


@dataclass(frozen=True)
class Code:
    """What the compiler made of a kernel."""

    registers: int  # of a lane
    shared: int  # bytes of a block
    spilled: int  # bytes of a lane
    function: Function


def compiled(source: Path, flags: list[str], architecture: str) -> dict[str, Code]:
    """Return the kernels of a source file by their names in C++."""
    # Optimised as in the package's own build; the rest of its flags are about the host's code.
    nvcc = [tool("nvcc"), "-std=c++17", "-O3", f"-arch={architecture}", "-cubin", "-Xptxas=-v"]
    nvcc += ["--expt-relaxed-constexpr", *flags]
    nvdisasm = [tool("nvdisasm"), "-c"]
    with tempfile.TemporaryDirectory(prefix="ceilings-") as folder:
        cubin = str(Path(folder) / "cubin")
        usage = run([*nvcc, "-o", cubin, str(source)]).stderr
        text = run([*nvdisasm, cubin]).stdout
    found = {
        mangled: Code(*used(usage, mangled), function) for mangled, function in functions(text)
    }
    names = run([tool("c++filt")], "\n".join(found)).stdout.splitlines()
    return {short(name): code for name, code in zip(names, found.values(), strict=True)}


def version() -> str:
    """Return nvcc's release."""
    (found,) = re.findall(r"V([\d.]+)", run([tool("nvcc"), "--version"]).stdout)
    return str(found)


def used(log: str, mangled: str) -> tuple[int, int, int]:
    """Return a kernel's registers, bytes of shared memory and spilled bytes, as ptxas says."""
    _, _, after = log.partition(f"Compiling entry function '{mangled}'")
    after, _, _ = after.partition("Compiling entry function")
    numbers = [
        re.search(pattern, after)
        for pattern in (r"Used (\d+) registers", r"(\d+) bytes smem", r"(\d+) bytes spill stores")
    ]
    registers, shared, spilled = (int(number[1]) if number else 0 for number in numbers)
    return registers, shared, spilled


def short(name: str) -> str:
    """Return a kernel's name without namespaces, type and parameters."""
    bare = re.sub(r"mxint::|cuda::|\(anonymous namespace\)::|^void ", "", name)
    return bare.split("(")[0].replace("> >", ">>")


def tool(name: str) -> str:
    """Return the path of a program; nvdisasm may be that of pip's package."""
    wheels = metadata.distributions(name=f"nvidia-cuda-{name}")
    files = [file for wheel in wheels for file in wheel.files or [] if file.name == name]
    found = shutil.which(name) or next((str(file.locate()) for file in files), None)
    if found is None:
        raise SystemExit(f"error: there is no {name} here, which the ceilings are read with")
    return found


def run(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program; end this one with what it says where it fails."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: {Path(command[0]).name} fails:\n{done.stderr}")
    return done
