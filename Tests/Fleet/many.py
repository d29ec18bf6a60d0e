"""Many recorders, one broker and one land: what was recorded is there, and what it costs. many.py SLUICE FOLDER RECORDERS"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import time

from broker import Mosquitto

sluice, work, recorders = sys.argv[1], pathlib.Path(sys.argv[2]) / "many", int(sys.argv[3])
work.mkdir()
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
RATE, SECONDS = 100, 20


def begin(*arguments):
    return subprocess.Popen([sluice, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=(work / "said").open("ab"), env=environment)


def cost(pid):
    """Seconds of a processor, and resident and own memory in MB."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds, int(status["VmRSS"].split()[0]) / 1e3, int(status["RssAnon"].split()[0]) / 1e3


broker = Mosquitto(work / "broker").start()
land = begin("land", f"{broker.url()}/#", "-o", work / "landed")
time.sleep(1)
processes = [
    begin(
        "record", f"imu=sim:imu@{RATE}", "meter=sim:meter", "--duration", f"{SECONDS}s", "-o", broker.url(), "--spool", work / f"spool{number}",
        "--server", f"board=b{number}", "--stats", work / f"{number}.json")
    for number in range(recorders)]
time.sleep(SECONDS - 5)
costs = {"a recorder": [cost(process.pid) for process in processes], "land": [cost(land.pid)], "mosquitto": [cost(broker.process.pid)]}
for process in processes:
    assert process.wait(timeout=120) == 0, (work / "said").read_text()[-2000:]
counts = {}
for number in range(recorders):
    account = json.loads((work / f"{number}.json").read_text())
    sent = account["outputs"][0]["sending"]
    assert sent["acknowledged"]["readings"] == account["received"] and sent["queued"] == 0, (number, sent)
    counts[f"b{number}"] = account["received"]
time.sleep(2)
land.terminate()
assert land.wait(timeout=30) == 0
landed = {}
for board in counts:
    landed[board] = 0
    for path in (work / "landed" / board).glob("*.csv"):
        with path.open() as file:
            landed[board] += sum(1 for _ in csv.reader(file)) - 1
broker.kill()
assert landed == counts, {board: (counts[board], landed[board]) for board in counts if counts[board] != landed[board]}
print(f"{recorders} recorders into one broker and one land: {sum(counts.values())} readings, as many in the files of each board")
for name, list in costs.items():
    seconds, resident, own = (sum(values) / len(values) for values in zip(*list))
    print(f"  {name}: {100 * seconds / (SECONDS - 5):.2f} % of a core, {resident:.1f} MB resident, {own:.1f} MB of its own")
