"""Machine code of a GPU, as nvdisasm prints it: which instructions one pass of a loop issues."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import networkx as nx

INSTRUCTION = re.compile(
    r"/\*[0-9a-f]+\*/ +(?P<guard>@!?\w+ +)?(?P<opcode>[A-Z][\w.]*) *(?P<operands>.*);"
)
LABEL = re.compile(r"(\.L_x_\d+):")
TARGET = re.compile(r"`\((\.L_x_\d+)\)")
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}
"""Bytes of a lane, by the modifier that says so; without one they are 4."""


@dataclass(frozen=True)
class Instruction:
    """One instruction; where it may be skipped, ``guarded``."""

    opcode: str
    operands: str
    guarded: bool

    def bytes(self, access: str) -> int:
        """Return what a lane loads ("LDG"; to shared memory, "LDGSTS") or stores ("STG") in global
        memory, 0 for others.
        """
        name, *modifiers = self.opcode.split(".")
        if name != access:
            return 0
        return next((WIDTHS[modifier] for modifier in modifiers if modifier in WIDTHS), 4)


@dataclass(frozen=True)
class Function:
    """Instructions, and for each the places of those that may come next."""

    instructions: list[Instruction]
    successors: list[list[int]]


def functions(text: str) -> Iterator[tuple[str, Function]]:
    """Yield the kernels of a disassembly, by their mangled names."""
    for section in re.split(r"^\t\.section\t\.text\.", text, flags=re.MULTILINE)[1:]:
        yield section.split(",", 1)[0], function(section)


def function(text: str) -> Function:
    """Return what the lines of one kernel say."""
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    for line in text.splitlines():
        if label := LABEL.match(line):
            labels[label[1]] = len(instructions)
        elif found := INSTRUCTION.search(line):
            guarded = found["guard"] is not None
            instructions.append(Instruction(found["opcode"], found["operands"], guarded))
    return Function(
        instructions,
        [_successors(at, instruction, labels) for at, instruction in enumerate(instructions)],
    )


def _successors(at: int, instruction: Instruction, labels: dict[str, int]) -> list[int]:
    """A branch is taken always when it has neither a guard nor a condition before its target.
    Lanes that have parted meet again (BSYNC) in the next line; a call comes back to it.
    """
    name = instruction.opcode.split(".")[0]
    if name == "BRA":
        always = not instruction.guarded and instruction.operands.startswith("`")
        target = TARGET.search(instruction.operands)
        assert target is not None
        return [labels[target[1]]] if always else [at + 1, labels[target[1]]]
    if name in ("EXIT", "RET") and not instruction.guarded:
        return []
    if name in ("BRX", "JMP", "JMX"):
        raise ValueError(f"where {instruction.opcode} leads to cannot be read here")
    return [at + 1]


def hot_pass(code: Function, weight: Callable[[Instruction], int]) -> list[Instruction]:
    """Return the instructions of one pass of the loop that handles most, as ``weight`` says: the
    bytes that it loads, say.  Where no loop handles anything, the whole kernel is one pass.

    Of all ways through a loop it is one that handles most, and of those the shortest.  A loop in
    the loop counts as one round, and a function that it calls as the call.
    """
    weights = [weight(instruction) for instruction in code.instructions]
    graph = nx.DiGraph([(at, to) for at, ends in enumerate(code.successors) for to in ends])
    graph.add_node(0)
    reached = graph.subgraph({0} | nx.descendants(graph, 0))
    closing = _closing_edges(reached)
    ways = nx.restricted_view(reached, [], closing)

    def cost(_: int, to: int, __: object) -> int:
        """The heaviest way, and of such ways the shortest, costs least."""
        return 1 - len(weights) * weights[to]

    whole = [(at, 0) for at in sorted(reached) if not code.successors[at]]
    for ends in (closing, whole):
        passes = [nx.bellman_ford_path(ways, head, tail, cost) for tail, head in ends]
        best: list[int] = max(
            passes, key=lambda way: (sum(weights[i] for i in way), -len(way)), default=[]
        )
        if any(weights[i] for i in best):
            return [code.instructions[i] for i in best]
    return []


def _closing_edges(graph: nx.DiGraph) -> list[tuple[int, int]]:
    """Return the edges that lead back to a place on the way to them: each closes a loop."""
    on_the_way = set()
    closing = []
    for at, following, kind in nx.dfs_labeled_edges(graph, 0):
        if kind == "forward":
            on_the_way.add(following)
        elif kind == "reverse":
            on_the_way.remove(following)
        elif following in on_the_way:
            closing.append((at, following))
    return closing
