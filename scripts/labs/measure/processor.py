"""Which processor this is, as lscpu and the kernel tell.

Vendor, family, model and stepping decide what is one kind: Zen 4 and Zen 5 may both be named "AMD
EPYC". Microcode, caches, clock source and hypervisor change times as well.
"""

import re
from functools import cache
from pathlib import Path

from labs.measure.programs import output_of
from labs.records.record import NOT_REPORTED

CPUINFO, SYSTEM = Path("/proc/cpuinfo"), Path("/sys/devices/system")
KIND = {"Vendor ID": "", "CPU family": "family ", "Model": "model ", "Stepping": "stepping "}


def processor(cpuinfo: Path = CPUINFO, system: Path = SYSTEM) -> dict[str, str]:
    """Return what a record says of the processor; NOT_REPORTED where the system does not tell.

    Caches and microcode are those of the first core.
    """
    told = _lscpu()
    none = "none" if told else NOT_REPORTED
    microcode = re.search(r"^microcode\s*: (.+)$", _read(cpuinfo), re.M)
    caches = sorted((system / "cpu" / "cpu0" / "cache").glob("index*"))
    each = (" ".join(_read(cache / name) for name in ("level", "type", "size")) for cache in caches)
    clock = system / "clocksource" / "clocksource0" / "current_clocksource"
    governor = system / "cpu" / "cpu0" / "cpufreq" / "scaling_governor"
    return {
        "cpu": told.get("Model name", NOT_REPORTED),
        "processor": kind(told),
        "hypervisor": told.get("Hypervisor vendor", none),
        "microcode": microcode[1] if microcode else NOT_REPORTED,
        "caches": ", ".join(f"L{cache}" for cache in each) or NOT_REPORTED,
        "clock_source": _read(clock) or NOT_REPORTED,
        "governor": _read(governor) or NOT_REPORTED,
    }


@cache
def this_kind() -> str:
    """Return name and kind of this processor. On another kind, training ends in other weights."""
    told = _lscpu()
    return f"{told.get('Model name', NOT_REPORTED)} ({kind(told)})"


def kind(told: dict[str, str]) -> str:
    """Return vendor, family, model and stepping, as far as lscpu tells; ARM's have no family."""
    return ", ".join(f"{KIND[name]}{told[name]}" for name in KIND if name in told) or NOT_REPORTED


def _lscpu() -> dict[str, str]:
    """Return what lscpu tells by its names; nothing where there is none."""
    lines = (line.partition(":") for line in output_of("lscpu").splitlines())
    return {name.strip(): value.strip() for name, _, value in lines if value.strip("- ")}


def _read(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
