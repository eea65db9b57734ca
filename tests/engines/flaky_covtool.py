"""Runs covtool as if on an unreliable machine: each fault in FLAKY happens once, in the first process that starts.

`killed`: the process is killed while it reads. `late`: it fails after all its work, so a task runs twice.
`executor`: the Spark executor that runs it is killed, with all its tasks.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


def claimed(fault: str) -> bool:
    """True for the first process that asks."""
    if fault not in os.environ["FLAKY"].split(","):
        return False
    try:
        Path(os.environ["FLAKY_FOLDER"], fault).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def executor_above(pid: int) -> int:
    """The closest Java process among the ancestors of a process."""
    while pid > 1:
        stat = Path(f"/proc/{pid}/stat").read_text()
        name, rest = stat[stat.index("(") + 1 : stat.rindex(")")], stat[stat.rindex(")") + 2 :]
        if name == "java":
            return pid
        pid = int(rest.split()[1])
    raise RuntimeError("No executor runs this.")


def main() -> int:
    command = [os.environ["FLAKY_PROGRAM"], *sys.argv[1:]]
    if sys.argv[1] != "record-hits":
        return subprocess.run(command).returncode
    if claimed("killed"):
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(sys.stdin.buffer.read(1 << 20))
        process.stdin.flush()
        process.kill()
        process.wait()
        os.kill(os.getpid(), signal.SIGKILL)
    if claimed("executor"):
        sys.stdin.buffer.read(1 << 20)
        os.kill(executor_above(os.getpid()), signal.SIGKILL)
    code = subprocess.run(command).returncode
    return 1 if claimed("late") else code


if __name__ == "__main__":
    sys.exit(main())
