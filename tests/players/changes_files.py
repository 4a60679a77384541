"""Attacks on what is written: records, the journal, code, folders, and the room on the disk."""

import fcntl
import os
import tempfile

from attack import Attack, call

FOLDER = -100  # the current one, to system calls


class WritesARecord(Attack):
    """Appends an end to the record of its game."""

    def attack(self):
        with open(self.bait + "/record.txt", "a") as file:
            return file.write("end: 1\n")


class OverwritesTheJournal(Attack):
    """Writes over the beginning of the journal."""

    def attack(self):
        with open(self.bait + "/games.jsonl", "r+") as file:
            return file.write("{}")


class TruncatesTheJournal(Attack):
    """Empties the journal."""

    def attack(self):
        return os.truncate(self.bait + "/games.jsonl", 0)


class TruncatesByReading(Attack):
    """Empties the journal by opening it to read, which Landlock before its third version let pass."""

    def attack(self):
        return os.open(self.bait + "/games.jsonl", os.O_RDONLY | os.O_TRUNC)


class OpensForNeither(Attack):
    """Empties the journal by opening it neither to read nor to write, which Landlock takes for harmless."""

    def attack(self):
        return os.open(self.bait + "/games.jsonl", os.O_ACCMODE | os.O_TRUNC)


class RemovesTheJournal(Attack):
    """Removes the journal."""

    def attack(self):
        return os.unlink(self.bait + "/games.jsonl")


class RenamesTheRecord(Attack):
    """Renames the record."""

    def attack(self):
        return os.rename(self.bait + "/record.txt", self.bait + "/elsewhere.txt")


class LinksTheRecord(Attack):
    """Gives the record a second name."""

    def attack(self):
        return os.link(self.bait + "/record.txt", self.bait + "/linked.txt")


class PlantsASymbolicLink(Attack):
    """Plants a symbolic link where somebody else is about to write."""

    def attack(self):
        return os.symlink(self.bait + "/games.jsonl", self.bait + "/next.txt")


class MakesAFolder(Attack):
    """Makes a folder."""

    def attack(self):
        return os.mkdir(self.bait + "/folder")


class MakesAPipe(Attack):
    """Makes a named pipe."""

    def attack(self):
        return os.mkfifo(self.bait + "/pipe")


class RemovesFolders(Attack):
    """Removes a folder."""

    def attack(self):
        return os.rmdir(self.bait + "/empty")


class ChangesModes(Attack):
    """Lets everybody write the record."""

    def attack(self):
        return os.chmod(self.bait + "/record.txt", 0o666)


class ChangesModesByDescriptor(Attack):
    """Changes the mode of a file that it may read, one of Python's."""

    def attack(self):
        with open(os.__file__) as file:
            return os.fchmod(file.fileno(), os.fstat(file.fileno()).st_mode & 0o7777)


class ChangesOwners(Attack):
    """Makes the record its own."""

    def attack(self):
        return os.chown(self.bait + "/record.txt", os.getuid(), os.getgid())


class ChangesTimes(Attack):
    """Makes the record old."""

    def attack(self):
        return os.utime(self.bait + "/record.txt", (0, 0))


class LabelsFiles(Attack):
    """Gives the record an extended attribute."""

    def attack(self):
        return os.setxattr(self.bait + "/record.txt", "user.of", b"me")


class ReplacesTheOpponent(Attack):
    """Empties the opponent's code."""

    def attack(self):
        with open(self.bait + "/opponent.py", "w") as file:
            return file.write("")


class PlantsBytecode(Attack):
    """Plants bytecode in its own folder, for whoever is imported from there next."""

    def attack(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "planted.pyc"), "wb") as file:
            os.unlink(file.name)


class FillsTheDisk(Attack):
    """Fills the disk with temporary files; a megabyte shows that more would be possible."""

    def attack(self):
        with tempfile.TemporaryFile(dir="/tmp") as file:
            return file.write(bytes(2**20))


class FillsSharedMemory(Attack):
    """Fills /dev/shm."""

    def attack(self):
        path = "/dev/shm/of-a-player-%d" % os.getpid()
        with open(path, "wb") as file:
            os.unlink(path)
            return file.write(bytes(2**20))


class HidesMemory(Attack):
    """Keeps memory in a file without a name, so that it is nobody's resident memory."""

    def attack(self):
        return os.write(os.memfd_create("hidden"), bytes(2**20))


class AllowsCoreDumps(Attack):
    """Raises its limit of core dumps, for a crash to fill the disk."""

    def attack(self):
        limit = bytes(8) + (2**20).to_bytes(8, "little")
        return call((302, 261), 0, 4, limit, None)


class LocksTheJournal(Attack):
    """Locks the journal, so that no other run may have it."""

    def attack(self):
        with open(self.bait + "/games.jsonl") as file:
            return fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


class TakesALease(Attack):
    """Takes a lease on a file of Python's, so that whoever wants to write it has to wait."""

    def attack(self):
        with open(os.__file__) as file:
            return fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


class LowersItsMark(Attack):
    """Lowers the mark that the system keeps of its largest resident size."""

    def attack(self):
        with open("/proc/self/clear_refs", "w") as file:
            return file.write("5")


class EscapesBeingKilledFirst(Attack):
    """Changes who is killed first when memory runs out for the whole machine."""

    def attack(self):
        with open("/proc/self/oom_score_adj", "w") as file:
            return file.write("1000")
