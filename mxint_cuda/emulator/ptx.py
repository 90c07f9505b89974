"""Translate nvcc's PTX into C++ that runs on the CPU: ``python ptx.py KERNELS.ptx KERNELS.cpp``.

Each instruction becomes a call of the function of its name in ptx.h, where its meaning is:
``mul.wide.u32 %rd1, %r1, 4`` becomes ``mul_wide_<u32>(rd_1, r_1, 4)``. An instruction that has none
there does not compile. The syntax is that of the PTX ISA, as far as nvcc uses it for the kernels.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ENTRY = re.compile(
    r"\.entry (?P<name>\w+)\((?P<parameters>.*?)\)(?P<limits>[^{]*)\{(?P<body>.*?)\n\}", re.DOTALL
)
STATEMENT = re.compile(r"\s*(?:(?P<label>[$\w]+):|(?P<words>[^;]*);)", re.DOTALL)
INSTRUCTION = re.compile(
    r"(?:@(?P<guard>!?%\w+)\s+)?(?P<opcode>[\w.]+)\s*(?P<operands>.*)", re.DOTALL
)
REGISTERS = re.compile(r"\.reg \.(?P<type>\w+)\s+%(?P<prefix>\w+)<(?P<count>\d+)>")
REGISTER = re.compile(r"\.reg \.(?P<type>\w+)\s+%(?P<name>\w+)")
SHARED = re.compile(r"\.shared \.align (?P<align>\d+) \.b8 (?P<name>\w+)\[(?P<bytes>\d+)\]")
TYPES = re.compile(r"[busf](8|16|32|64)|bf16|pred")
SILENT = ("nc", "cs", "volatile", "v2", "v4", "rn")
"""What changes nothing here: about caches, about what operands show, and C++'s own rounding."""
FLOAT = re.compile(r"0f([0-9A-F]{8})")
MOST_THREADS = re.compile(r"\.maxntid (\d+)")
CAPABILITY = re.compile(r"\.target sm_(\d+)")


def translated(text: str) -> str:
    """Return the C++ of all kernels of a file."""
    text = re.sub(r"//.*", "", text)
    everywhere = list(SHARED.finditer(ENTRY.sub("", text)))
    (capability,) = CAPABILITY.findall(text)
    kernels = [_kernel(entry, everywhere, capability) for entry in ENTRY.finditer(text)]
    space = f"ptx::sm_{capability}"
    begin, end = f'#include "ptx.h"\n\nnamespace {space} {{\n', f"}}  // namespace {space}\n"
    return "\n".join([begin, *kernels, end])


def _kernel(entry: re.Match[str], everywhere: list[re.Match[str]], capability: str) -> str:
    """Return a function, and the line that makes it known by the kernel's mangled name."""
    name, body = entry["name"], entry["body"]
    places, size = _places([v for v in everywhere if v["name"] in body] + [*SHARED.finditer(body)])
    most = MOST_THREADS.search(entry["limits"])
    lines = [f"static void {name}(const Parameters& parameters) {{"]
    lines += [f"  constexpr u32 {variable} = {place};" for variable, place in places.items()]
    for registers in REGISTERS.finditer(body):
        names = [f"{registers['prefix']}_{i}" for i in range(int(registers["count"]))]
        lines += [f"  {registers['type']} {', '.join(names)};"]
    lines += [f"  {line}" for line in _lines(body, f"{name}_param_")]
    known = f'"{name}", {capability}, {name}, {size}, {most[1] if most else 1024}'
    lines += ["}", f"static const Known known_{name}({known});"]
    return "\n".join([*lines, ""])


def _places(variables: list[re.Match[str]]) -> tuple[dict[str, int], int]:
    """Return where variables lie in shared memory, and its size."""
    places, end = {}, 0
    for variable in variables:
        align = int(variable["align"])
        places[variable["name"]] = start = -(-end // align) * align
        end = start + int(variable["bytes"])
    return places, end


def _lines(body: str, parameter: str) -> Iterator[str]:
    """Yield a line for each label and each instruction."""
    for number, statement in enumerate(STATEMENT.finditer(body)):
        if statement["label"]:
            yield f"{statement['label'].replace('$', '')}:;"
            continue
        words = statement["words"].strip()
        while words[:1] in ("{", "}"):  # a scope begins or ends
            yield words[0]
            words = words[1:].strip()
        if one := REGISTER.fullmatch(words):
            yield f"{one['type']} {one['name']};"
        if words.startswith("."):  # a declaration
            continue
        found = INSTRUCTION.fullmatch(words)
        if found is None:
            raise SystemExit(f"error: not understood: {words}")
        guard = f"if ({_registers(found['guard'])}) " if found["guard"] else ""
        yield guard + _call(number, found["opcode"], found["operands"], parameter)


def _call(number: int, opcode: str, operands: str, parameter: str) -> str:
    """Return an instruction as a statement of C++; accesses of global memory get its number."""
    if opcode in ("bra", "bra.uni"):
        return f"goto {operands.replace('$', '')};"
    parts = opcode.split(".")
    types = [part for part in parts if TYPES.fullmatch(part)]
    name = "_".join(part for part in parts if part not in types and part not in SILENT)
    bare = re.sub(r"[{}\s]", "", operands)
    words = [_operand(word, parameter) for word in re.split(r"[,|]", bare) if word]
    if name.startswith("ld_"):  # its source first, as in stores: there may be several registers
        words.insert(0, words.pop())
    if name == "ld_param":
        words.insert(0, "parameters")
    if name in ("ld_global", "st_global"):
        words.insert(0, str(number))
    if not types:
        return f"{name}_({', '.join(words)});"
    return f"{name}_<{', '.join(types)}>({', '.join(words)});"


def _operand(word: str, parameter: str) -> str:
    """Return a register, a number, a name or an address as C++ writes it."""
    word = _registers(word.strip("[]"))
    if hexadecimal := FLOAT.fullmatch(word):
        return f"0x{hexadecimal[1]}u"
    if word.startswith(parameter):
        place, _, offset = word.removeprefix(parameter).partition("+")
        return f"{place}, {offset or 0}"
    return word.replace(".", "_")


def _registers(word: str) -> str:
    """Return a word with registers as they are declared: %f32 as f_32, since f32 is a type."""
    return re.sub(r"%([a-z]+)(\d+)", r"\1_\2", word).replace("%", "")


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_text(translated(source.read_text()))
