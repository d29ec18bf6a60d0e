"""Spools that are copied, restored and swapped, beside honest runs: copies.py SLUICE FOLDER COUNT

Each reading is in the files of land once, after a resend of all spools, and of the numbers that land says have not come: a broker
that is killed has acknowledged readings that it did not pass on. If the spool with them was removed meanwhile, land still names them.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from broker import Mosquitto

sluice, work, count = sys.argv[1], pathlib.Path(sys.argv[2]) / "copies", int(sys.argv[3])
work.mkdir()
chance = random.Random(5)
environment = {name: value for name, value in os.environ.items() if "SLUICE" not in name}
broker = Mosquitto(work / "broker").start()
said = (work / "said").open("wb")


def start_land():
    return subprocess.Popen([sluice, "land", broker.url("plant/#"), "-o", work / "land"], stdout=said, stderr=said, env=environment)


land = start_land()
connected = 1


def connects():
    """What a broker takes while nobody has subscribed, nobody gets."""
    last = time.monotonic() + 60
    while (work / "said").read_text().count("connected; ") < connected:
        assert time.monotonic() < last, (work / "said").read_text()[-1_000:]
        time.sleep(0.05)
    time.sleep(0.2)


connects()
spools, runs = [work / "spool-0"], 0


def record(spool):
    """A run of 40 readings; with the broker away, they wait in the spool."""
    global runs
    runs += 1
    address = broker.url()
    done = subprocess.run(
        [sluice, "record", f"imu=sim:imu@400,seed={runs}", "--count", "40", "-o", work / f"run-{runs}.csv", "-o", address, "--spool", spool, "--server",
         "board=b1"], capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr


for step in range(count):
    what = chance.choice(["copy", "restore", "swap", "run", "away"])
    spool = chance.choice(spools)
    if what == "copy" and spool.exists():
        other = work / f"spool-{step + 1}"
        shutil.copytree(spool, other)
        spools.append(other)
    elif what == "restore" and spool.exists():
        # A backup of files over the folder that is there, or in its place.
        backup = work / f"backup-{step}"
        shutil.copytree(spool, backup)
        record(spool)
        if chance.random() < 0.5:
            shutil.rmtree(spool)
        else:
            for path in spool.glob("*/*"):
                path.unlink()
        shutil.copytree(backup, spool, dirs_exist_ok=True)
    elif what == "swap" and len(spools) > 1:
        a, b = chance.sample(spools, 2)
        if a.exists() and b.exists():
            a.rename(work / "between")
            b.rename(a)
            (work / "between").rename(b)
    elif what == "away":
        port = broker.port
        broker.kill()
        record(spool)
        broker.start()
        connected += 1
        connects()
        continue
    record(chance.choice(spools))
for spool in spools:
    for folder in spool.glob("*"):
        subprocess.run([sluice, "resend", "--spool", folder], capture_output=True, env=environment, timeout=60)


def landed():
    return sum(len(path.read_text().splitlines()) - 1 for path in (work / "land").glob("*/*.csv"))


def wait_for_all(seconds):
    last = time.monotonic() + seconds
    while landed() < 40 * runs and time.monotonic() < last:
        time.sleep(0.1)


def end_land():
    """At its end, land names each gap, and the command that closes it."""
    start = len((work / "said").read_text())
    land.send_signal(signal.SIGTERM)
    assert land.wait(30) == 0
    return set(re.findall(r"b1: numbers (\d+) to (\d+) of the epoch (\w+) have not come", (work / "said").read_text()[start:]))


wait_for_all(20)
named = left = end_land()
if landed() < 40 * runs:
    land = start_land()
    connected += 1
    connects()
    for first, end, epoch in named:
        # Only the spools of this epoch have these numbers.
        for path in work.glob("spool-*/*/spool.json"):
            if json.loads(path.read_text())["epoch"].startswith(epoch):
                subprocess.run([sluice, "resend", "--spool", path.parent, "--from", first, "--to", end], capture_output=True,
                               env=environment, timeout=60)
    wait_for_all(20)
    left = end_land()
broker.kill()


def rows(path):
    return [line.split(",", 1)[1] + line.split(",", 1)[0] for line in path.read_text().splitlines()[1:]]


there = collections.Counter(row for path in (work / "land").glob("*/*.csv") for row in rows(path))
recorded = collections.Counter(row for number in range(1, runs + 1) for row in rows(work / f"run-{number}.csv"))
missing = recorded - there
twice = there - recorded
text = (work / "said").read_text()
print(f"{count} steps, {runs} runs, {len(spools)} spools: {sum(recorded.values())} readings recorded, {sum(missing.values())} not landed, "
      f"{sum(twice.values())} more than once; {len(named)} gaps were named and sent again", flush=True)
print("\n".join(row for row in text.splitlines() if "number" in row or "landed" in row)[:2_000])
nameable = sum(int(end) - int(first) + 1 for first, end, _ in left)
assert sum(missing.values()) <= nameable, f"{nameable} are named: {list(missing)[:3]}"
assert not twice, list(twice)[:3]
