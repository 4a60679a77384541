"""A command of the referee, run in this process: an interpreter of its own takes half a second to start."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout

from referee.__main__ import main
from tests import ROOT


def typed(*words, cwd=ROOT):
    """The command's exit code, what it printed, and its complaints."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:  # after --help
            code = ended.code
    return code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()
