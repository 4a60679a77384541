"""Removes a folder that a player could write to, whatever it made of it; keeper.py runs this file by path."""

import contextlib
import os
import secrets
import shutil
import stat

# Windows opens no folders.
BY_FOLDER = {os.chmod, os.open, os.rename, os.rmdir, os.stat, os.unlink} <= os.supports_dir_fd


def remove(folder: str) -> None:
    """Nothing of the folder is left, as far as the system lets; it need not be there; "" is none."""
    if not folder:
        return
    if not BY_FOLDER:
        shutil.rmtree(folder, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        inside = _opened(folder)
        try:
            _empty(inside)
        finally:
            os.close(inside)
        os.rmdir(folder)


def _empty(top: int) -> None:
    """Remove what is in an open folder.

    A player may have put folders into one another, deeper than functions call each other and than a path is
    long: so folders within a folder are moved up before that is removed, and none is ever deep.
    """
    stuck: set[str] = set()  # names of what the system does not let go
    while names := set(os.listdir(top)) - stuck:
        for name in names:
            try:
                if _is_folder(name, top):
                    _flatten(name, top)
                else:
                    os.unlink(name, dir_fd=top)
            except OSError:
                stuck.add(name)


def _flatten(name: str, top: int) -> None:
    """Remove a folder; those in it are then beside it, by new names."""
    inside = _opened(name, top)
    try:
        for entry in os.listdir(inside):
            with contextlib.suppress(OSError):  # then the folder will not go, either
                if _is_folder(entry, inside):
                    os.chmod(entry, 0o700, dir_fd=inside)  # a folder that is moved is written to
                    os.rename(entry, secrets.token_hex(16), src_dir_fd=inside, dst_dir_fd=top)
                else:
                    os.unlink(entry, dir_fd=inside)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _opened(name: str, top: int | None = None) -> int:
    """A folder, whose rights a player may have taken away; OSError where it is a link or no folder."""
    if not _is_folder(name, top):
        raise NotADirectoryError(name)
    with contextlib.suppress(OSError):  # it may be another user's
        os.chmod(name, 0o700, dir_fd=top)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)


def _is_folder(name: str, top: int | None) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=top, follow_symlinks=False).st_mode)
