"""A board that sends what it wants, beside three that are honest: hostile.py SLUICE FOLDER SECONDS

It may write below its own level only. The rows of the others are whole, land takes at most 64 MB, also after a restart, and at most one
line per minute is about it.
"""

import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import time

from broker import Mosquitto

sluice, work, seconds = sys.argv[1], pathlib.Path(sys.argv[2]) / "hostile", int(sys.argv[3])
work.mkdir()
chance = random.Random(11)
environment = {name: value for name, value in os.environ.items() if "SLUICE" not in name}


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">H", len(value)) + value


def number(value):
    found = b""
    while True:
        value, byte = value >> 7, value & 127
        found += bytes([byte | (128 if value else 0)])
        if not value:
            return found


def packet(kind, body):
    return bytes([kind]) + number(len(body)) + body


def message(topic, payload, properties):
    own = b"".join(b"\x26" + text(name) + text(value) for name, value in properties)
    return packet(0x30, text(topic) + number(len(own)) + own + payload)


hexadecimal = "0123456789abcdef"
names = ["evil", "h1", "h2", "", "..", "../h1", "h1/readings", "e" * 300, "ü", "=1+1", "board", ".lock", "numbers.jsonl"]
epochs = ["".join(chance.choices(hexadecimal, k=32)) for _ in range(50)]


def some(choices, other):
    return chance.choice(choices) if chance.random() < 0.8 else other()


def level():
    word = some(["evil", "imu", "x", "readings", "state", "meta", "%2E"], lambda: "".join(chance.choices("ab%$é.", k=chance.randint(1, 30))))
    return word.replace("+", "").replace("#", "")


made = 0


def many(mode):
    """A right message with a name that has not been there before: an epoch, a run, a stream, a header, a board, or a gap."""
    global made
    made += 1
    new = f"{made:032x}"
    board = f"b{made}" if mode == "board" else "evil"
    root = "plant/evil" + (f"/{board}" if mode == "board" else "")
    stream = "s" + new * 6 if mode == "stream" else "imu"
    header = "time_ns," + (new if mode == "header" else "a")
    properties = [
        ("board", board), ("stream", stream), ("epoch", new if mode == "epoch" else epochs[0]), ("run", new if mode == "run" else epochs[1]),
        ("sequence", str(2 * made if mode in ("gap", "run") else 0)), ("rows", "1")]
    return message(f"{root}/readings/{stream}", f"{header}\n1,1\n".encode(), properties)


modes = ["epoch", "run", "stream", "header", "board", "gap"]


def one():
    """A message that a board could have sent, or something like it."""
    if chance.random() < 0.5:
        return many(modes[int(time.monotonic() / 5) % len(modes)])
    deep = chance.choices([0, 1, 2], [6, 3, 1])[0]
    root = "/".join(["plant", "evil"] + [level() for _ in range(deep)])
    if chance.random() < 0.2:
        state = {"state": some(["online", "ended", "gone"], level), "board": some([root.split("/")[-1]], lambda: chance.choice(names)),
                 "epoch": chance.choice(epochs), "next": chance.choice([0, 5, 2**63, 2**64 - 1, -1, 1e300])}
        body = json.dumps(state) if chance.random() < 0.9 else "{" * chance.randint(1, 5_000)
        return message(root + "/state", body.encode(), [])
    rows = chance.choices([0, 1, 20, 1_024, 1_025, 5_000], [1, 20, 10, 1, 1, 0.1])[0]
    stream = some(["imu", "imu-2", "imu"], lambda: chance.choice(names))
    header = "time_ns," + ",".join(some(["a", "b"], level) for _ in range(chance.randint(1, 4)))
    body = (header + "\n" + "".join(f"{number},{number}\n" for number in range(rows))).encode()
    if chance.random() < 0.02:
        body = bytes(chance.getrandbits(8) for _ in range(chance.randint(0, 3_000)))
    if chance.random() < 0.0005:
        body = header.encode() + b"\n" * chance.choice([100_000, 1_500_000, 20_000_000])
    first = chance.choices([chance.randint(0, 3_000), chance.randint(0, 2**40), chance.choice([2**62, 2**64 - 1, 2**63, 10**30, -1])], [6, 3, 1])[0]
    properties = [
        ("board", some([root.split("/")[-1]], lambda: chance.choice(names))), ("stream", stream),
        ("epoch", some(epochs, lambda: "".join(chance.choices(hexadecimal + "G/", k=chance.randint(0, 70))))),
        ("run", some(epochs[:5], lambda: "".join(chance.choices(hexadecimal, k=16)))), ("sequence", str(first)),
        ("rows", str(rows if chance.random() < 0.95 else chance.choice([0, -1, 2**64, 7])))]
    return message(f"{root}/readings/{stream}" if chance.random() < 0.9 else f"{root}/{level()}", body, [p for p in properties if chance.random() < 0.98])


broker = Mosquitto(work / "broker").start()
said = (work / "said").open("wb")


def start(output):
    return subprocess.Popen([sluice, "land", broker.url("plant/#"), "-o", work / "land"], stdout=output, stderr=output, env=environment)


land = start(said)
last = time.monotonic() + 60
while "connected; " not in (work / "said").read_text():
    assert time.monotonic() < last and land.poll() is None, "land does not start"
    time.sleep(0.1)
honest = [
    subprocess.Popen(
        [sluice, "record", f"imu=sim:imu@100,seed={name}", f"m=sim:meter@{10 * name}", "-o", work / f"h{name}.csv", "--layout", "long", "-o", broker.url(), "--spool", work / f"s{name}",
         "--server", f"board=h{name}", "--duration", f"{seconds}s", "--quiet"], env=environment) for name in (1, 2, 3)]


def connect():
    line = socket.create_connection(("127.0.0.1", broker.port))
    line.sendall(packet(0x10, text("MQTT") + b"\x05\x02\x00\x00\x00" + text("evil")))
    line.recv(100)
    return line


line = connect()
# Made before, because Python takes longer for one than for sending a hundred.
packets, sent, begin = [one() for _ in range(20_000)], 0, time.monotonic()
while time.monotonic() < begin + seconds:
    try:
        line.sendall(b"".join(chance.choices(packets, k=100)))
    except OSError:
        # The broker ends the connection of whoever sends what MQTT does not allow.
        line = connect()
    sent += 100
    if sent % 5_000 == 0:
        # As many as Python makes in this time.
        place = chance.randrange(len(packets) - 1_000)
        packets[place:place + 1_000] = [one() for _ in range(1_000)]
    time.sleep(max(0, begin + sent / 10_000 - time.monotonic()))
for process in honest:
    assert process.wait() == 0, "an honest recorder"
line.close()


def landed(name):
    path = work / "land" / f"h{name}" / "imu.csv"
    return path.read_text().splitlines()[1:] if path.exists() else []


def recorded(name, stream):
    return [row for row in (work / f"h{name}.csv").read_text().splitlines()[1:] if row.split(",")[1].startswith(stream)]


def times(rows):
    return [row.split(",")[0] for row in rows]


wanted = {name: sorted(set(times(recorded(name, "imu")))) for name in (1, 2, 3)}
last = time.monotonic() + 120
while time.monotonic() < last and any(len(landed(name)) < len(wanted[name]) for name in wanted):
    time.sleep(0.5)


def peak():
    status = pathlib.Path(f"/proc/{land.pid}/status").read_text()
    return next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmHWM"))


peaks = [peak()]
# At its end it names each gap.
lines = [row for row in (work / "said").read_text().splitlines() if "evil" in row]
land.send_signal(signal.SIGTERM)
assert land.wait(30) == 0, "land"
total = (work / "said").read_text().splitlines()[-1]
again = (work / "again").open("wb")
land = start(again)
last = time.monotonic() + 60
while "connected; " not in (work / "again").read_text():
    assert time.monotonic() < last and land.poll() is None, "land does not start again"
    time.sleep(0.1)
peaks.append(peak())
land.send_signal(signal.SIGTERM)
assert land.wait(30) == 0, "land"
broker.kill()
for name in wanted:
    rows = landed(name)
    assert sorted(times(rows)) == wanted[name], f"h{name}: {len(rows)} rows landed of {len(wanted[name])}"
files = sum(1 for _ in (work / "land").glob("*/*.csv"))
print(f"a hostile board: {sent} messages in {seconds} s, {files} files; three honest ones whole, {sum(map(len, wanted.values()))} readings; "
      f"{peaks[0] / 1024:.0f} MB, after a restart {peaks[1] / 1024:.0f} MB, {len(lines)} lines about it", flush=True)
print(total, flush=True)
assert max(peaks) <= 64 * 1024, f"{peaks} kB"
assert len(lines) <= seconds / 60 + 1, "\n".join(lines[:20])
