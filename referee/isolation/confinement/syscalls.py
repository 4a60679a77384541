"""The system calls that a confined player may make, by their numbers on x86-64 and on aarch64.

A call that a machine does not have is None there; every call that is not named here is refused.
"""

# Allowed whatever their arguments are.
ALLOWED = {
    # Files: to read them, as far as landlock.py lets.
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62),
    "close": (3, 57), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78),
    "getdents": (78, None), "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "umask": (95, 166), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "pipe": (22, None), "pipe2": (293, 59),
    # Waiting for descriptors of its own.
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "eventfd": (284, None),
    "eventfd2": (290, 19), "timerfd_create": (283, 85), "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87), "signalfd": (282, None), "signalfd4": (289, 74), "recvfrom": (45, 207),
    "shutdown": (48, 210), "getsockname": (51, 204),
    # Memory.
    "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226), "brk": (12, 214),
    "membarrier": (324, 283),
    # Threads, and their end.
    "exit": (60, 93), "exit_group": (231, 94), "set_robust_list": (273, 99), "rseq": (334, 293),
    "arch_prctl": (158, None), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getscheduler": (145, 120), "sched_getparam": (143, 121), "getpriority": (140, 141),
    "getcpu": (309, 168), "restart_syscall": (219, 128), "wait4": (61, 260), "waitid": (247, 95),
    # Signals to itself, and clocks.
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "pause": (34, None), "alarm": (37, None), "setitimer": (38, 103),
    "getitimer": (36, 102), "nanosleep": (35, 101), "gettimeofday": (96, 169), "time": (201, None),
    "times": (100, 153), "getrusage": (98, 165), "getrlimit": (97, 163),
    # Who and where it is.
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "getpgid": (121, 155), "getpgrp": (111, None),
    "getsid": (124, 156), "uname": (63, 160), "sysinfo": (99, 179), "getrandom": (318, 278),
}

# Allowed with some arguments: seccomp.py says with which.
LOOKED_AT = {
    "open": (2, None), "openat": (257, 56), "fcntl": (72, 25), "ioctl": (16, 29), "clone": (56, 220),
    "kill": (62, 129), "tgkill": (234, 131), "prctl": (157, 167), "prlimit64": (302, 261),
    "socketpair": (53, 199), "sendto": (44, 206), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "mmap": (9, 222), "madvise": (28, 233), "futex": (202, 98),
    "preadv2": (327, 286), "pwritev2": (328, 287), "close_range": (436, 436), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
}

# The C library takes "no such call" for an answer and uses clone, whose arguments can be looked at.
MISSING = {"clone3": (435, 435)}

LAST = 470  # beyond are the calls of newer systems than were known, and on x86-64 those of x32
