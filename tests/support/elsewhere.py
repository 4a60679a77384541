"""A Python that lacks what Windows lacks, so that what runs there can be tried here.

`make(folder)` makes a virtual environment whose interpreter, with every process that it starts, has no
fcntl, resource, termios and the like, no os.fork, os.killpg, signal.SIGKILL, select.poll and so on, refuses
to open anything below /proc, writes "\\r\\n" where no line end is named, and refuses file names that
Windows does, files opened as text without an encoding, and those removed or renamed while they are open.
Python's own library and psutil are left what they need: they have their ways on Windows.
"""

import site
import sys
import venv
from pathlib import Path

from tests import ROOT

HOOK = Path(__file__).with_name("elsewhere_hook.py")


def make(folder):
    """The path of the interpreter."""
    venv.EnvBuilder(symlinks=True, with_pip=False).create(folder)
    (packages,) = Path(folder, "lib").glob("python*/site-packages")
    packages.joinpath("elsewhere_hook.py").write_bytes(HOOK.read_bytes())
    installed = [place for place in sys.path if place.endswith("site-packages")]
    places = [str(ROOT), *installed, *site.getsitepackages()]
    lines = [*dict.fromkeys(places), "import elsewhere_hook"]
    packages.joinpath("elsewhere.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(Path(folder, "bin", "python"))
