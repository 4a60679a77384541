"""The course referees' manner of calling players, on any CPython from 3.6: both in one interpreter.

Run as a script with a folder (or zip) and packages in it: it imports these and then obeys the lines
of its input, each a literal: ("new", key, package, arguments, keywords) makes a player,
("call", key, method, arguments, keywords) calls one.  Each is answered by one line, the literal
(result, kB that VmPeak has grown since the imports, threads, kB that VmHWM has grown).
"""

import ast
import gc
import importlib
import io
import os
import random
import sys
import threading


def memory():
    """VmSize, VmPeak and VmHWM in kB."""
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return [int(fields[name].split()[0]) for name in ("VmSize", "VmPeak", "VmHWM")]


def drawn(numpy):
    """What is left of the lots that everything in the interpreter shares."""
    keys, *more = numpy.random.get_state()[1:]
    return random.getstate(), keys.tobytes(), more


def main(folder, *packages):
    answers, sys.stdout = sys.stdout, io.StringIO()
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    import numpy

    classes = {package: importlib.import_module(package).Player for package in packages}
    gc.collect()
    base, _, resident = memory()
    threads = len(os.listdir("/proc/self/task"))
    random.seed(1)
    numpy.random.seed(1)
    lots = drawn(numpy)
    players = {}
    for line in sys.stdin:
        what, key, *rest = ast.literal_eval(line)
        if what == "new" or rest[0] == "set_up":
            gc.collect()  # what earlier games left is not this one's memory
        if what == "new":
            package, arguments, keywords = rest
            players[key] = classes[package](*arguments, **keywords)
            result = None
        else:
            method, arguments, keywords = rest
            result = getattr(players[key], method)(*arguments, **keywords)
        _, peak, high = memory()
        assert drawn(numpy) == lots, "the global random state was touched, Python's or numpy's"
        assert sys.stdout.getvalue() == "", "printed: " + sys.stdout.getvalue()[:200]
        assert threading.active_count() == 1, "a thread was started"
        more = len(os.listdir("/proc/self/task")) - threads
        answers.write(repr((result, peak - base, more, high - resident)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
