"""The interpreters on this machine that agents are tried on, each with the numpy that belongs to it."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

WANTED = ("3.6", "3.8", "3.11", "3.13")


@cache
def found() -> dict[str, str]:
    """Path of an interpreter for each wanted version that this machine has."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    paths = {}
    for version in WANTED:
        candidates = [sys.executable, shutil.which(f"python{version}")]
        candidates += map(str, sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True))
        for path in filter(None, candidates):
            if _version(path) == version:
                paths[version] = path
                break
    return paths


@cache
def _version(path: str) -> str:
    if path == sys.executable:
        return ".".join(map(str, sys.version_info[:2]))
    say = "import sys; print('%d.%d' % sys.version_info[:2])"
    run = subprocess.run([path, "-c", say], capture_output=True, text=True)
    return run.stdout.strip()


@cache
def with_numpy(version: str) -> str:
    """The interpreter of a virtual environment with numpy, made once a machine and kept for the next run."""
    base = found()[version]
    if base == sys.executable:
        return base
    home = Path(tempfile.gettempdir()) / f"agents-numpy-{os.getuid()}-{version}"
    python = home / "bin" / "python"
    with open(f"{home}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another test process may be making it
        if not _has_numpy(python):
            # Neither pip of its own nor compiled modules, which take three times as long as all the rest.
            subprocess.run([base, "-m", "venv", "--clear", "--without-pip", home], check=True)
            (packages,) = home.glob("lib/python*/site-packages")
            install = [base, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile"]
            run = subprocess.run([*install, "--target", packages, "numpy"], capture_output=True, text=True)
            assert _has_numpy(python), f"numpy cannot be installed for CPython {version}: {run.stderr[-500:]}"
    return str(python)


def _has_numpy(python: Path) -> bool:
    if not python.exists():
        return False
    return subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0
