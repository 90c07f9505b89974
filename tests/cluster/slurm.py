"""A real SLURM cluster of three nodes on this machine: its daemons, on loopback, as root.

Every node has two cores, which they share in truth: jobs are scheduled as on a cluster, and timed
by nobody. One node has a GPU that is a character device without a driver.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
PACKAGES = "slurmd slurmctld slurm-client munge"
SYSTEM = Path("/etc/slurm")
NODES = ("cpu1", "cpu2", "gpu1")
CORES, MEGABYTES = 2, 4000

CONF = """
ClusterName=labs
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
KillWait=2
MinJobAge=900
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2
{nodes}
PartitionName=cpu Nodes=cpu[1-2] Default=YES MaxTime=60 DefaultTime=10 DefMemPerCPU=500 State=UP
PartitionName=gpu Nodes=gpu1 MaxTime=60 DefaultTime=10 DefMemPerCPU=500 State=UP
"""
GPU = "AutoDetect=off\nNodeName=gpu1 Name=gpu File={folder}/gpu0 Flags=nvidia_gpu_env\n"


class NoClusterError(Exception):
    """This machine does not let the daemons start."""


def missing() -> str:
    """Return why there can be no such cluster here, or nothing."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"{', '.join(absent)} not found; apt: {PACKAGES}"
    if os.geteuid() != 0:
        return "a SLURM cluster starts as root"
    if not SYSTEM.is_mount():
        return f"{SYSTEM} is this machine's; tests/cluster/apart.sh gives a command one of its own"
    return ""


@dataclass
class Cluster:
    """The cluster's daemons, whose files are in a folder."""

    folder: Path
    _stack: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        """Start them, and wait until the nodes are there. Raises NoClusterError."""
        with ExitStack() as stack:
            self._configure()
            key = self.folder / "munge.key"
            key.write_bytes(os.urandom(128))
            key.chmod(0o400)
            names = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
            files = [f"--{option}={self.folder}/munge.{name}" for option, name in names.items()]
            self._start(stack, "munged", "--force", "--foreground", f"--key-file={key}", *files)
            self._wait((self.folder / "munge.socket").exists, "munged")
            self._start(stack, "slurmctld", "-D", "-c")
            for name in NODES:
                self._start(stack, "slurmd", "-D", "-N", name)
            self._wait(lambda: ask("sinfo", "-h", "-N", "-o", "%T") == ["idle"] * 3, "the nodes")
            self._stack = stack.pop_all()

    def stop(self) -> None:
        subprocess.run(["scancel", "--me"], timeout=30)
        self._stack.close()

    def _configure(self) -> None:
        """Write the configuration, where SLURM's programs look for it."""
        for name in ("state", *(f"spool-{node}" for node in NODES)):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        controller, *ports = _free_ports(1 + len(NODES))
        host = socket.gethostname().split(".")[0]
        nodes = [
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={CORES} "
            f"RealMemory={MEGABYTES} State=UNKNOWN{' Gres=gpu:1' if name == 'gpu1' else ''}"
            for name, port in zip(NODES, ports, strict=True)
        ]
        words = {"host": host, "controller": controller, "folder": self.folder}
        conf = CONF.format(**words, nodes="\n".join(nodes))
        made = subprocess.run(["mknod", f"{self.folder}/gpu0", "c", "1", "3"], capture_output=True)
        if made.returncode != 0:
            raise NoClusterError(f"mknod: {made.stderr.decode().strip()}")
        for name, text in (("slurm.conf", conf), ("gres.conf", GPU.format(folder=self.folder))):
            (SYSTEM / name).write_text(text)

    def _start(self, stack: ExitStack, *command: str) -> None:
        output = stack.enter_context((self.folder / "daemons.log").open("a"))
        process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        stack.callback(_stop, process)

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + 30
        while not condition():
            logs = sorted(self.folder.glob("*.log"))
            words = "\n".join(f"{log}: {log.read_text()[-1000:]}" for log in logs)
            if time.monotonic() > end:
                raise NoClusterError(f"{what} did not start\n{words}")
            time.sleep(0.1)


def ask(*command: str) -> list[str]:
    """Return the lines that a command of SLURM prints; none if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines() if done.returncode == 0 else []


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_ports(number: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
