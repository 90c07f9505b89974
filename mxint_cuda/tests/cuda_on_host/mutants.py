"""Plant errors into the CUDA kernels, one at a time, and see that the tests find each.

It prints a table, and fails when an error is not found.  Arguments are words of titles, to run
those mutants alone.  It takes minutes, and is no part of the test run.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))
from cuda_on_host.library import PTX, SOURCES, build  # noqa: E402

PATIENCE = 120  # seconds for the tests of one kernel, which take about ten


@dataclass(frozen=True)
class Mutant:
    """An error: ``old`` stands once in the file.  It is planted into the library of this name."""

    title: str
    file: str
    tests: str
    old: str
    new: str
    library: str


CHANGE = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)
"""What an error takes away and adds, as ``git diff --word-diff`` writes it: [-old-]{+new+}."""

IN_SOURCES = {
    ("linear.cu", "test_cuda_linear.py"): {
        "no barrier before the sums of the warps are read": "[-  __syncthreads();\n-]",
        "barrier that half of the warps miss": "  {+if (threadIdx.x >= 64) +}__syncthreads();\n",
        "columns past the last are stored": "[- || n >= shape.outputs-]) return;",
        "rows past the last are stored": "[-row >= shape.rows || -]",
        "sums of half a warp": "distance = kWarp / [-2-]{+4+}",
        "shuffle in a branch": "      {+if (lane < 16) +}sums[0] += __shfl_xor_sync",
        "shared memory for one warp too few": "of_warp[kBlock / kWarp{+ - 1+}][count]",
        "every lane stores its warp's sum": "[-if (lane % lanes == 0) -]of_warp",
        "scale of the next group": "= shape.size.quotient(k{+ + 8+});\n    float w",
        "long runs of short groups": "[-whole_runs(layer, kLongRun)-]{+true+} ?",
        "x is quantized by half of the lanes": "size / run{+ / 2+},",
        "lanes without x leave before the exchange": "k[- - before-] < shape.inputs",
        "x past the end is quantized": "k[- < shape.inputs ? k : shape.inputs - Run-]",
        "the last run of x counts again": "[-    if (at < k) break;\n-]",
        "a shorter last group of x is quantized as a whole one": "layer.rows == 1 &&[- whole &&-]",
        "pieces of a weight for one multiprocessor": "quotient_up([-multiprocessors()-]{+1+}, ",
        "a small piece of a weight is left over": "(tiles / least{+ + 1+}, 1)",
    },
    ("linear.cuh", "test_cuda_linear.py"): {
        "columns past the last are loaded": "return i[- < outputs ? i : outputs - 1-];",
        "rows past the last are loaded": "return i[- < rows ? i : rows - 1-];",
        "the larger scale first": "const bool ordered = a [-<-]{+>=+} b;",
        "all scales are ordinary": "return [-scale < 0x1p105f-]{+true+};",
        "a scale too many is ordinary": "scale < [-0x1p105f-]{+0x1p106f+}",
        "sums start elsewhere": "kStart = [-0x4b400000-]{+0x4b400001+}",
        "a NaN scale is passed over": "[-ordered ? b : a-]{+b < a ? a : b+}, total",
    },
    ("linear_tensor.cu", "test_cuda_linear.py"): {
        "no barrier before the sums of the warps are read": "[-  __syncthreads();\n-]",
        "words in another order on one side": "= above[{+1 - +}i];",
        "first rows of x past the end": "[-min(g, rows - 1)-]{+g+}",
        "tiles of x past the end": "[-(tile + 1) * kRows + g < rows-]{+true+}",
        "scales of x past the end": "[-min(i * kWarp + lane, rows - 1)-]{+(i * kWarp + lane)+}",
        "rows of the weight past the end": "[-min-](strip * kOutputs + lane / 2[-, columns - 1-])",
        "scales of the weight past the end": "[-min(-]lane % outputs[-, columns - 1)-]",
        "outputs past the end": "[- || column >= columns-]) continue;",
        "rows of y past the end": "[-row >= rows || -]",
        "every block takes the first rows of x": "[-  x += first_row * shape.inputs;\n-]",
        "every block takes the first scales of x": "x_exponent += [-first_row * groups-]{+0+};",
        "every block stores the first rows of y": "y += [-first_row * shape.outputs + -]first;",
        "every block takes the first scales": "[-  exponent += first * groups;\n-]",
        "tiles of rows for one multiprocessor": "enough = [-multiprocessors()-]{+1+}",
        "a wait too few": "wait_for_groups<kStages - [-2-]{+1+}>",
        "copies read without a barrier": "    [-__syncwarp();-]",
        "copies begun before the barrier": (
            "[-    __syncwarp();  // this piece is whole, and the place of the last one is free\n"
            "-]    fetch(k + (kStages - 1) * kStep);\n"
            "{+    __syncwarp();\n"
            "+}"
        ),
        "copies into one stage too few": "/ kStep % {+(+}kStages{+ - 1)+}]",
        "copies past the end": "    [-if (k < shape.inputs) -]{",
        "groups of copies end with the inputs": "    {+if (k < shape.inputs) +}end_group();",
        "scales of the other half": "dots[i], scales[strip][{+1 - +}i / 2]",
        "scales of the other half, for floats": "dots[i] * scales[strip][{+1 - +}i / 2]",
        "mantissas exchanged within pairs": "mantissa_of(word, 2 * pair{+ + 1+}), second",
        "mantissas of the other word": "w[strip][{+2 - +}i / 4 * 2 + i % 2]",
        "the second half of x twice": "numbers[strip][0], {values[{+2 + +}0]",
        "scales of another strip": "scale, [-upper-]{+g+})",
        "one lane's scale decides for all": (
            "[-__all_sync(~0u, ordinary(scale))-]{+ordinary(__shfl_sync(~0u, scale, 0))+}"
        ),
        "scales of x of another lane": "kWarp + [-2 * -]t + i;",
        "two warps store into one place": "of_warp[tile % 2][warp{+ / 2+}][2",
        "tiles in one place": "of_warp[[-tile % 2-]{+0+}][warp]",
        "some lanes leave before the last product": (
            "    {+if (k + 8 * t >= 40) break;\n    +}const int group = shape.size.quotient(k);\n"
        ),
    },
    ("instructions.cuh", "test_cuda_linear.py"): {
        "instructions of 8.0 on 7.5": "capability() >= [-80-]{+70+}",
        "halves of rows exchanged on 7.5": "a[[-lower-]{+1 - lower+} + 2 * half]",
        "halves of inputs exchanged on 7.5": "b[{+1 - +}half]",
        "half of a copy on 7.5": (
            "*static_cast<[-uint4-]{+uint64_t+}*>(to_shared) = "
            "*static_cast<const [-uint4-]{+uint64_t+}*>(from)"
        ),
    },
    ("dequantize.cu", "test_cuda_conversion.py"): {
        "tail that begins one too late": "n < body.begin ? n : n + body.elements(){+ + 1+}",
        "one tile too many": "[-left-]{+(left + kTile - 1)+} / kTile, whole}",
        "shuffle of half the lanes": "__shfl_sync([-~0u-]{+0xffffu+},",
        "unaligned loads past the end": "[-(whole ? 0 : 4)-]{+0+}",
        "unaligned loads before the start": "begin < first[- + kPerLane-]",
        "unaligned tensors as if aligned": "[-body.aligned-]{+true+} ? vector_kernel",
        "one scale for pieces that lie across groups": (
            "[- && body.begin % Pieces<T>::elements == 0-]"
        ),
        "one scale for pieces of several groups": "[-groups.size >= Pieces<T>::elements && -]",
        "blocks that do not go on": "tile += [-all_threads() / kWarp-]{+body.tiles+}",
        "a row's last group runs into the next row": "[-column_ < groups_.columns && -]",
    },
    ("values.cuh", "test_cuda_conversion.py"): {
        "bytes shifted as bits": "[-8 * -]beyond)",
        "mantissas 128 too large": "[-8388736-]{+8388608+}.0f",
        "mantissas of another lane": "first(piece, lane) / [-kPerLane-]{+kWarp+}",
        "exchange over half of the lanes": "int distance = lanes / 2; distance > [-0-]{+1+}",
    },
    ("quantize.cu", "test_cuda_conversion.py"): {
        "pieces of a long group apart": "[-if (size <= along * kWarp * P::elements) -]break;",
        "every lane of a group writes its exponent": "[-if ((first & (size - 1)) == 0) -]exponent",
        "every thread of a team writes the exponent": "span.length > 0[- && member == 0-]",
        "last group of a row not shorter": "[-left < size ? left : -]size}",
        "threads without a group leave before the exchange": (
            "if (group [-<-]{+>=+} groups.count) {+return;\n    +}span"
        ),
        "exponents of the rest in the first place": "exponent[- + (done >> shift)-]",
        "unaligned tensors as if aligned": "[-placed-]{+true+} ? tile_kernel",
        "rows that end within a group in tiles": "[-whole && -]power_of_two",
        "blocks that do not go on": "base += [-all_threads() >> shift-]{+groups.count+}",
    },
    ("cute_dequantize.cu", "test_cuda_conversion.py"): {
        "no barrier": "[-  __syncthreads();\n-]",
        "exponents past the end": "[- && group < get<1>(matrix.shape())-]",
    },
    ("cute_tiling.h", "test_cuda_conversion.py"): {
        "a shorter last group is not cut": "matrix.group_size [-< matrix.elements-]{+>= 0+}",
        "sizes are not limited": "group_size(size[- < elements ? size : elements-])",
    },
    ("division.h", "test_cuda_machine.py"): {
        "reciprocals rounded down": "[-(power + divisor - 1)-]{+power+} / divisor",
    },
    ("launch.cuh", "test_cuda_conversion.py"): {
        "blocks rounded down": "(threads + [-kThreads - -]1) / kThreads",
    },
    ("launch.cuh", "test_cuda_machine.py"): {
        "CUDA's last error is asked": (
            "[-const cudaError_t error = -]cudaLaunchKernelEx(&config, kernel, arguments...);{+\n"
            "  const cudaError_t error = cudaGetLastError();+}"
        ),
    },
}
"""By the file and the tests that find them, with their titles."""

IN_PTX = {
    ("instructions.cuh", "test_cuda_linear.py"): {
        "rows of mma.sync exchanged": (
            '[-"r"(a[0]), "r"(a[1])-]{+"r"(a[1]), "r"(a[0])+}, '
            '"r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c)'
        ),
        "words of mma.sync exchanged": '[-"r"(b[0]), "r"(b[1])-]{+"r"(b[1]), "r"(b[0])+}, "r"(c)',
        "rows of mma.sync exchanged for floats": (
            '[-"r"(a[0]), "r"(a[1])-]{+"r"(a[1]), "r"(a[0])+}, '
            '"r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))\n'
        ),
        "words of mma.sync exchanged for floats": (
            '[-"r"(b[0]), "r"(b[1])-]{+"r"(b[1]), "r"(b[0])+})\n'
        ),
        "sums of mma.sync begin one later": '"r"(c{+ + 1+})',
        "instructions of 8.0 in code for 7.5": "__CUDA_ARCH__ < [-800-]{+700+}",
        "sides of mma.sync exchanged on 7.5": '"r"([-a), "r"(b-]{+b), "r"(a+}));',
        "groups of copies that do not end": "[-cp.async.commit_group;-]",
        "one group of copies more may be on its way": '"n"(Latest{+ + 1+})',
        "copies of what comes next": '"l"([-from-]{+static_cast<const char*>(from) + 16+})',
    },
    ("values.cuh", "test_cuda_ptx.py"): {
        "stores of 16 bytes that nvcc may part": "(sizeof words == [-16-]{+0+})",
    },
}
"""In what only nvcc sees: g++ compiles twins of these instructions."""

MUTANTS = [
    Mutant(title, file, tests, CHANGE.sub(r"\1", change), CHANGE.sub(r"\2", change), library)
    for library, places in ((SOURCES, IN_SOURCES), (PTX, IN_PTX))
    for (file, tests), errors in places.items()
    for title, change in errors.items()
]


def main() -> int:
    """Return 0 when all is found."""
    wanted = [m for m in MUTANTS if not sys.argv[1:] or any(w in m.title for w in sys.argv[1:])]
    survivors = 0
    print("| Planted error | File | Found by |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        csrc, work = Path(scratch) / "csrc", Path(scratch) / "build"
        shutil.copytree(TESTS.parent / "csrc", csrc)
        for mutant in wanted:
            found = judge(mutant, csrc, work)
            survivors += not found
            print(f"| {mutant.title} | `{mutant.file}` | {found or 'NOTHING'} |", flush=True)
    return 1 if survivors else 0


def judge(mutant: Mutant, csrc: Path, work: Path) -> str:
    """Return what finds a mutant, or "" when nothing does; leave the sources as they were."""
    file = csrc / mutant.file
    source = file.read_text()
    if source.count(mutant.old) != 1:
        raise SystemExit(f"{mutant.title}: its place is not in {mutant.file}, or not only once")
    file.write_text(source.replace(mutant.old, mutant.new))
    try:
        return complaint(build(work, csrc, mutant.library), mutant.tests)
    finally:
        file.write_text(source)


def complaint(library: Path, tests: str) -> str:
    """Return what the first test that fails says, in short, or "" when all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=line", str(TESTS / tests)]
    environment = os.environ | {"CUDA_ON_HOST": str(library)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return "a kernel that does not end"
    if done.returncode == 0:
        return ""
    if done.returncode != 1:
        raise SystemExit(f"pytest did not run:\n{done.stdout}{done.stderr}")
    failure = re.search(r"Failure: (.*?)(, at byte \d+)?( \(block .*)?\n", done.stdout)
    return failure[1].replace("|", "or") if failure else "wrong numbers"


if __name__ == "__main__":
    sys.exit(main())
