"""What the tests of this folder have in common: recordings that are started, killed and read again."""

import atexit
import csv
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import mcapfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SLUICE = os.environ.get("SLUICE", os.path.join(ROOT, ".build/release/sluice"))
DISK = os.environ.get("DURABLE_DISK", os.path.join(ROOT, ".build/durable/disk.so"))
SEED = int(os.environ.get("DURABLE_SEED", "1"))
# A broken command is not waited for without end.
DEADLINE = 120

# The same readings in each run, so that what is in a file can be compared with what was to be written.
SENSOR = "s=sim:imu@1000,seed=7"
PERIOD = 1_000_000
CHANNELS = 6
FIFO = 1024

faults = []


def fail(text):
    faults.append(text)
    print(f"FAILED: {text}", flush=True)


def end(figures):
    """Prints the figures and leaves, with the status that the faults ask for."""
    name = os.path.basename(sys.argv[0])
    print(f"{name}: {figures}", flush=True)
    sys.exit(1 if faults else 0)


def skip(reason):
    print(f"{os.path.basename(sys.argv[0])}: skipped, since {reason}", flush=True)
    sys.exit(0)


def folder():
    """An empty folder of its own, on the disk of the build: a tmpfs syncs nothing."""
    base = os.path.join(ROOT, ".build/durable")
    os.makedirs(base, exist_ok=True)
    path = tempfile.mkdtemp(dir=base)
    atexit.register(lambda: shutil.rmtree(path, ignore_errors=True) if not faults else print(f"left: {path}"))
    return path


def alone():
    """Goes on with mounts of its own, which are gone when it ends; as root only."""
    if os.geteuid() != 0:
        skip("only root may mount")
    if os.environ.get("DURABLE_ALONE") == "1":
        return
    environment = dict(os.environ, DURABLE_ALONE="1")
    probe = subprocess.run(["unshare", "--mount", "--propagation", "private", "true"], stderr=subprocess.PIPE)
    if probe.returncode != 0:
        skip(f"no mounts are allowed here: {probe.stderr.decode().strip()}")
    os.execvpe("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable] + sys.argv, environment)


class Run:
    """One run of the command."""

    def __init__(self, *arguments, cwd, environment=None):
        self.said = tempfile.TemporaryFile()
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [SLUICE, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said,
            env=dict(os.environ, **(environment or {})))

    @property
    def text(self):
        # Not the offset that the command writes at.
        size = os.fstat(self.said.fileno()).st_size
        return os.pread(self.said.fileno(), size, 0).decode(errors="replace")

    @property
    def isOver(self):
        return self.process.poll() is not None

    def waitUntil(self, what, condition):
        """Whether it has come before the command ended."""
        while not condition():
            if self.isOver:
                return condition()
            if time.monotonic() - self.began > DEADLINE:
                self.process.kill()
                fail(f"{what} has not happened: {self.text[-600:]}")
                return False
            time.sleep(0.001)
        return True

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        return self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self):
        try:
            return self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            fail(f"it does not end: {self.text[-600:]}")
            return self.kill()

    @property
    def cutOff(self):
        """How many bytes it says it has cut off."""
        return sum(
            int(match.group(1).replace(",", ""))
            for match in re.finditer(r"cut off ([\d,]+) bytes? after the last whole (?:row|chunk)", self.text))

    @property
    def account(self):
        for line in self.text.splitlines():
            if line.startswith('{"version"'):
                return json.loads(line)
        fail(f"no account: {self.text[-600:]}")
        return None


class Kind:
    """A kind of recording, and how its rows are read."""

    def __init__(self, title, name, *options):
        self.title, self.name, self.options = title, name, list(options)

    @property
    def isInParts(self):
        return "--rotate" in self.options

    @property
    def isMCAP(self):
        return self.name.endswith(".mcap")

    @property
    def isDatabase(self):
        return self.name.endswith(".db")

    def files(self, cwd):
        """The files with rows, in their order."""
        if not self.isInParts:
            return [self.name] if os.path.exists(os.path.join(cwd, self.name)) else []
        stem, ending = self.name.rsplit(".", 1)
        part = re.compile(re.escape(stem) + r"\.\d{6,}\.\d{8}T\d{6}Z\." + re.escape(ending))
        return sorted(name for name in os.listdir(cwd) if part.fullmatch(name))

    def size(self, cwd):
        total = 0
        names = [self.name, self.name + "-wal"] if self.isDatabase else self.files(cwd)
        for name in names:
            try:
                total += os.stat(os.path.join(cwd, name)).st_size
            except FileNotFoundError:
                pass
        return total

    def strangers(self, cwd):
        """Files that nobody has asked for."""
        files = self.files(cwd) + [self.name]
        known = set(files) | {self.name + "-parts.jsonl"}
        for name in files:
            known |= {name + "-metadata.json", name + "-runs.jsonl"}
        # The metadata of a run whose rows are all gone is kept.
        old = re.compile(re.escape(self.name) + r"-metadata\.json\.old(\.\d+)?")
        return sorted(name for name in set(os.listdir(cwd)) - known if not old.fullmatch(name))

    def rows(self, cwd):
        """Time and values, as text, of each reading; what cannot be read is a fault."""
        if self.isDatabase:
            connection = sqlite3.connect(os.path.join(cwd, self.name))
            names = [row[1] for row in connection.execute("PRAGMA table_info(s)")]
            columns = [name for name in names if name not in ("id", "time_ns", "flags")]
            quoted = ", ".join(f'"{name}"' for name in columns)
            rows = list(connection.execute(f"SELECT time_ns, {quoted} FROM s ORDER BY id"))
            connection.close()
            return [(row[0], tuple(float(value) for value in row[1:])) for row in rows]
        if self.isMCAP:
            return self.messages(cwd)
        rows = []
        for name in self.files(cwd):
            path = os.path.join(cwd, name)
            with open(path, "rb") as file:
                contents = file.read()
            if contents and not contents.endswith(b"\n"):
                fail(f"{path}: the last row is torn")
            if b"\0" in contents:
                fail(f"{path}: there are NUL bytes")
            rows += self.readings(path, contents.decode(errors="replace").splitlines())
        return rows

    def messages(self, cwd):
        """The readings of an MCAP file, whose index has to find all of them."""
        path = os.path.join(cwd, self.name)
        for fault in mcapfile.faults(path):
            fail(f"{path}: {fault}")
        python = os.environ.get("SLUICE_MCAP_PYTHON")
        if python:
            read = subprocess.run([python, os.path.join(HERE, "mcapreads.py"), path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if read.returncode != 0:
                fail(f"{path}: pip's mcap: {read.stdout.decode()[-600:]}")
        table = path + ".csv"
        done = subprocess.run([SLUICE, "convert", path, "-o", table], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            fail(f"{path}: convert: {done.stdout.decode()[-600:]}")
            return []
        with open(table) as file:
            rows = self.readings(table, file.read().splitlines())
        for ending in ["", "-metadata.json"]:
            os.remove(table + ending)
        return rows

    def readings(self, path, lines):
        try:
            if self.name.endswith(".jsonl"):
                objects = [json.loads(line, parse_float=float, parse_int=int) for line in lines]
                return [(one["time_ns"], tuple(float(value) for value in one["values"].values())) for one in objects]
            cells = list(csv.reader(lines[1:]))
            if "long" in self.options:
                groups = [cells[at:at + CHANNELS] for at in range(0, len(cells), CHANNELS)]
                for group in groups:
                    if len(group) != CHANNELS or len({row[0] for row in group}) != 1:
                        fail(f"{path}: the rows of a reading are not together: {group}")
                return [(int(group[0][0]), tuple(float(row[3]) for row in group)) for group in groups]
            if any(len(row) != CHANNELS + 1 for row in cells):
                fail(f"{path}: a row is not whole")
            return [(int(row[0]), tuple(float(value) for value in row[1:])) for row in cells]
        except (ValueError, KeyError, IndexError) as error:
            fail(f"{path}: {error}")
            return []


CSV = Kind("csv", "r.csv")
LONG = Kind("long csv", "l.csv", "--layout", "long")
JSON_LINES = Kind("jsonl", "r.jsonl")
PARTS = Kind("parts", "p.csv", "--rotate", "8k")
DATABASE = Kind("database", "r.db")
MCAP = Kind("mcap", "r.mcap")


class Reference:
    """What the sensor says from the beginning of a run."""

    def __init__(self, seconds):
        self.overflows = 0
        path = folder()
        run = Run("record", SENSOR, "--count", str(seconds * 1000), "-q", "-o", "reference.csv", cwd=path)
        if run.wait() != 0:
            fail(f"no reference: {run.text}")
        self.values = [values for _, values in Kind("csv", "reference.csv").rows(path)]

    def runs(self, rows, where):
        """Splits rows into runs, each of which is a beginning of the reference; else that is a fault.

        Answers with the number of readings of each run."""
        lengths, position, begin, count, burst = [], 0, 0, 0, 0
        for number, (moment, values) in enumerate(rows):
            expected = self.values[position] if position < len(self.values) else None
            if values != expected or (position > 0 and moment != begin + position * PERIOD):
                # On a machine that is too busy its FIFO is full after so many.
                later, rest = divmod(moment - begin, PERIOD)
                if burst >= FIFO and rest == 0 and position < later < len(self.values) and values == self.values[later]:
                    self.overflows += 1
                    position, burst = later, 0
                elif values == self.values[0]:
                    if count:
                        lengths.append(count)
                    position, count, burst = 0, 0, 0
                else:
                    fail(f"{where}: row {number} is not reading {position} of its run, and begins no other")
                    return lengths
            if position == 0:
                begin = moment
            position += 1
            count += 1
            burst += 1
        return lengths + [count] if count else lengths


def check(kind, cwd, reference, where):
    """Reads all of a recording, and lets the command verify it. Answers with the number of readings of each run."""
    runs = reference.runs(kind.rows(cwd), where)
    # The name of a recording in parts is no file.
    verify = Run("verify", "." if kind.isInParts else kind.name, cwd=cwd)
    if verify.wait() != 0:
        fail(f"{where}: verify: {verify.text}")
    return runs


def grouped(number):
    return f"{number:,}"
