"""An hour's backlog: how fast it is sent, and how late readings are that come meanwhile. backlog.py SLUICE FOLDER READINGS"""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

from broker import free_port

sluice, work, count = sys.argv[1], pathlib.Path(sys.argv[2]) / "backlog", int(sys.argv[3])
work.mkdir()
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
port = free_port()
RATE = 1_000
# The last reading of the backlog comes now.
start = time.time_ns() - count * 1_000_000_000 // RATE


def row(n):
    return b"%d,%d,%d,0.125,%d\n" % (start + n * 1_000_000_000 // RATE, n, n % 65536, -n % 4096)


def query(text):
    body = urllib.parse.urlencode({"db": "plant", "q": text, "epoch": "ns"}).encode()
    return json.loads(opener.open(f"http://127.0.0.1:{port}/query", body, timeout=60).read())["results"][0]


def status(pid, *names):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    found = dict(line.split(":", 1) for line in lines)
    return [int(found[name].split()[0]) / 1e3 for name in names]


def processor(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


(work / "influxdb.conf").write_text(
    f'reporting-disabled = true\nbind-address = "127.0.0.1:{free_port()}"\n[meta]\ndir = "{work}/meta"\n'
    f'[data]\ndir = "{work}/data"\nwal-dir = "{work}/wal"\nquery-log-enabled = false\n'
    f'[http]\nbind-address = "127.0.0.1:{port}"\nlog-enabled = false\n[monitor]\nstore-enabled = false\n')
recorder = subprocess.Popen(
    [sluice, "record", "t=lines:-,time=time_ns", "-o", f"http://127.0.0.1:{port}/write?db=plant", "--spool", str(work / "spool"), "--sync", "1s",
     "--buffer", "5000", "--stats", str(work / "a.json")], stdin=subprocess.PIPE, stderr=(work / "said").open("ab"), env=environment)
recorder.stdin.write(b"time_ns,n,b,c,d\n")
begun = time.monotonic()
for first in range(0, count, 10_000):
    recorder.stdin.write(b"".join(row(n) for n in range(first, first + 10_000)))
recorder.stdin.flush()
fed = count
print(f"{count} readings into the spool, without a server: {time.monotonic() - begun:.1f} s, {processor(recorder.pid):.1f} s of a processor", flush=True)
server = subprocess.Popen(["influxd", "-config", str(work / "influxdb.conf")], stdout=(work / "log").open("ab"), stderr=subprocess.STDOUT, env=environment)
stop = threading.Event()
starts = {}


def feed():
    """The readings that come meanwhile, each tenth of a second."""
    global fed
    while not stop.wait(0.1):
        recorder.stdin.write(b"".join(row(n) for n in range(fed, fed + RATE // 10)))
        recorder.stdin.flush()
        fed += RATE // 10
        starts[fed] = time.monotonic()


feeder = threading.Thread(target=feed)
feeder.start()
try:
    while True:
        try:
            query("CREATE DATABASE plant")
            break
        except OSError:
            time.sleep(0.1)
    # What was away for a while is tried once per minute.
    while not (query("SELECT last(n) FROM t") or {}).get("series"):
        time.sleep(0.2)
    drained, before, late, resident, last = time.monotonic(), processor(recorder.pid), [], [], 0
    while True:
        time.sleep(1)
        now = time.monotonic()
        newest = int(query("SELECT max(n) FROM t")["series"][0]["values"][0][1])
        there = int(query("SELECT count(n) FROM t")["series"][0]["values"][0][1])
        # How long ago was what has come last?
        known = [time_of for number, time_of in starts.items() if number <= newest + RATE // 10]
        # At first, only the backlog is there.
        if known:
            late.append(now - max(known))
        resident.append(status(recorder.pid, "VmRSS", "RssAnon"))
        if fed - there < 3 * RATE:
            break
    seconds = time.monotonic() - drained
    spent = processor(recorder.pid) - before
    print(
        f"sent in {seconds:.1f} s, {count / seconds:.0f} readings per second, {count / seconds / RATE:.0f} times as fast as they come; "
        f"{spent:.1f} s of a processor: {count / spent:.0f} readings per second and core", flush=True)
    if late:
        print(f"what came meanwhile was {sorted(late)[len(late) // 2]:.1f} s late, at most {max(late):.1f} s", flush=True)
    print(f"resident {min(r for r, _ in resident):.1f} to {max(r for r, _ in resident):.1f} MB, {max(o for _, o in resident):.1f} MB of its own at most", flush=True)
finally:
    stop.set()
    feeder.join()
recorder.stdin.close()
assert recorder.wait(timeout=120) == 0, (work / "said").read_text()[-2000:]
account = json.loads((work / "a.json").read_text())["outputs"][0]["sending"]
there = int(query("SELECT count(n) FROM t")["series"][0]["values"][0][1])
server.kill()
server.wait()
assert there == fed and account["queued"] == 0, (there, fed, account)
print(f"all {fed} readings are there", flush=True)
