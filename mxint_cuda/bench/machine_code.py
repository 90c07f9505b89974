"""Machine code of sm_90, as nvdisasm prints it: which instructions one pass of a loop issues."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
    order, forward, backward = _walk(code.successors)
    whole = [(end, 0) for end in order if not code.successors[end]]
    for ends in (backward, whole):
        passes = [_heaviest(order, forward, weights, head, tail) for tail, head in ends]
        best = max(passes, key=lambda way: (sum(weights[i] for i in way), -len(way)), default=[])
        if any(weights[i] for i in best):
            return [code.instructions[i] for i in best]
    return []


def _walk(successors: list[list[int]]) -> tuple[list[int], list[list[int]], list[tuple[int, int]]]:
    """Return the places that can be reached, each before its successors, but for edges that lead
    back; the successors without those edges; and the edges, which close loops.
    """
    order: list[int] = []
    forward: list[list[int]] = [[] for _ in successors]
    backward: list[tuple[int, int]] = []
    seen, entered = {0}, {0}
    stack = [(0, iter(successors[0]))]
    while stack:
        at, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            entered.remove(at)
            order.append(at)
            stack.pop()
        elif following in entered:
            backward.append((at, following))
        else:
            forward[at].append(following)
            if following not in seen:
                seen.add(following)
                entered.add(following)
                stack.append((following, iter(successors[following])))
    return order[::-1], forward, backward


def _heaviest(
    order: list[int], forward: list[list[int]], weights: list[int], first: int, last: int
) -> list[int]:
    """Return the places on the heaviest way between two, of such ways the shortest."""
    # Of the best way to each place: its weight, its length negated, and the place before the last.
    best = {first: (weights[first], -1, first)}
    for at in order:
        if at not in best:
            continue
        weight, length, _ = best[at]
        for following in forward[at]:
            new = (weight + weights[following], length - 1, at)
            if following not in best or new[:2] > best[following][:2]:
                best[following] = new
    way = [last]
    while way[-1] != first:
        way.append(best[way[-1]][2])
    return way[::-1]
