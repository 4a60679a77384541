"""Takes away what Windows does not have; imported at the start of every process of elsewhere.py."""

import builtins
import functools
import io
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time

import psutil  # noqa: F401  (which needs some of what goes)

MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "curses", "syslog")
OF_OS = """
    fork forkpty setsid getsid getpgid setpgid killpg pidfd_open waitid getuid geteuid getgid
    getegid uname sched_getaffinity sched_setaffinity sysconf mkfifo mknod pread pwrite set_blocking
    get_blocking fchmod chown fchown lchown chroot nice getpriority setpriority statvfs wait wait3
    wait4 WNOHANG WIFSIGNALED O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_CLOEXEC O_PATH register_at_fork
    getloadavg ctermid openpty memfd_create posix_spawn
""".split()
OF_SIGNAL = """
    SIGKILL SIGSTOP SIGCONT SIGCHLD SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGPIPE SIGQUIT SIGTSTP alarm
    setitimer getitimer ITIMER_REAL pthread_sigmask pthread_kill sigwait sigtimedwait
    pidfd_send_signal pause siginterrupt SIGPROF SIGVTALRM ITIMER_PROF ITIMER_VIRTUAL
""".split()
OF_SELECT = ("poll", "epoll", "kqueue")
OF_TIME = ("clock_gettime", "pthread_getcpuclockid", "clock_gettime_ns", "tzset")
OF_SOCKET = ("AF_UNIX", "send_fds", "recv_fds")
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
PYTHONS = os.path.dirname(os.__file__)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

_inside = threading.local()


def is_ours(depth):
    """Whether code of this project, or of a player, is what asks."""
    path = sys._getframe(depth).f_code.co_filename
    return not path.startswith(("<frozen", PYTHONS)) and "site-packages" not in path


def take_away(module, names):
    """Nobody but Python's own library and packages that are installed finds these names in the module."""
    kept = {name: vars(module).pop(name) for name in names if name in vars(module)}

    def found(name):
        if name in kept and not is_ours(2):
            return kept[name]
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    module.__getattr__ = found


def as_on_windows(popen):
    """Popen, which there takes no preexec_fn and hands no descriptors on."""

    @functools.wraps(popen)
    def started(self, *arguments, **keywords):
        if keywords.get("preexec_fn") or keywords.get("pass_fds"):
            raise ValueError("preexec_fn and pass_fds are not supported on Windows platforms")
        return popen(self, *arguments, **keywords)

    return started


def opened(original):
    """Open, with the line ends of Windows; text without an encoding is refused to our own code."""

    @functools.wraps(original)
    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **more):
        if "b" not in mode:
            if encoding in (None, "locale") and is_ours(2):
                raise AssertionError(f"opened without an encoding: {file}")
            if newline is None and set(mode) & set("wax+") and not isinstance(file, int):
                newline = "\r\n"
        return original(file, mode, buffering, encoding, errors, newline, **more)

    return open


def look(event, arguments):
    """What an audit hook sees."""
    if getattr(_inside, "looks", False):
        return
    _inside.looks = True
    try:
        if event == "open":
            path, mode, flags = arguments
            if isinstance(path, (str, bytes)):
                check_open(os.fsdecode(path), mode, flags)
        elif event in ("os.mkdir", "os.rename"):
            check_name(arguments[1] if event == "os.rename" else arguments[0])
        if event in ("os.remove", "os.rename", "os.rmdir"):
            check_free(arguments[0])
        if event == "os.rename":
            check_free(arguments[1])
    finally:
        _inside.looks = False


def check_open(path, mode, flags):
    if path.startswith("/proc") and not caller_is(("psutil", "numpy")):
        raise FileNotFoundError(2, "No such file or directory", path)
    if flags & WRITING and not path.startswith("/dev/"):
        check_name(path)


def check_name(path):
    for part in os.fsdecode(path).split("/"):
        if FORBIDDEN.search(part) and part not in (".", ".."):
            raise OSError(22, f"Windows has no file {part!r}", path)


def check_free(path):
    """Files that this process has open can be neither removed nor renamed."""
    if caller_is(("tempfile",)):
        return
    whole = os.path.abspath(os.fsdecode(path))
    for entry in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{entry}") == whole:
                raise PermissionError(13, "The process cannot access the file: it is open", path)
        except FileNotFoundError:
            continue


def caller_is(names):
    frame = sys._getframe(1)
    while frame:
        if frame.f_globals.get("__name__", "").partition(".")[0] in names:
            return True
        frame = frame.f_back
    return False


take_away(os, OF_OS)
os.supports_dir_fd.clear()  # there no call takes an open folder
take_away(signal, OF_SIGNAL)
take_away(select, OF_SELECT)
take_away(time, OF_TIME)
# Where there is no AF_UNIX, Python's library makes pairs by TCP; here by the one that it has.
socket.socketpair = functools.partial(socket.socketpair, socket.AF_UNIX)
take_away(socket, OF_SOCKET)
for name in MODULES:
    sys.modules[name] = None
os.linesep = "\r\n"
subprocess.Popen.__init__ = as_on_windows(subprocess.Popen.__init__)
builtins.open = io.open = opened(io.open)
sys.addaudithook(look)
