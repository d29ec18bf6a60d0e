"""The recorder and Debian's servers, killed again and again. servers.py SLUICE FOLDER KILLS SERVER_KILLS"""

import csv
import io
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sluice, work = sys.argv[1], pathlib.Path(sys.argv[2])
kills, server_kills = int(sys.argv[3]), int(sys.argv[4])
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
chance = random.Random(5)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def say(text):
    print(text, flush=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """Ended by its process id, and begun again with the same files."""

    def __init__(self, name):
        self.folder = work / name
        self.folder.mkdir(exist_ok=True)
        self.port, self.process = free_port(), None

    def start(self):
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, env=environment)
        for _ in range(300):
            try:
                opener.open(f"http://127.0.0.1:{self.port}{self.health}", timeout=2).read()
                return
            except (urllib.error.URLError, OSError):
                assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
                time.sleep(0.1)
        raise SystemExit(f"{self.command()[0]} does not answer")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def get(self, path, **parameters):
        query = urllib.parse.urlencode(parameters)
        return opener.open(f"http://127.0.0.1:{self.port}{path}?{query}", timeout=300).read().decode()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/write?db=plant"


class Influx(Server):
    health = "/ping"

    def command(self):
        # The defaults of InfluxDB, but for its places: each write is synced before its answer.
        config = self.folder / "influxdb.conf"
        config.write_text(
            f'reporting-disabled = true\nbind-address = "127.0.0.1:{free_port()}"\n'
            f'[meta]\ndir = "{self.folder}/meta"\n'
            f'[data]\ndir = "{self.folder}/data"\nwal-dir = "{self.folder}/wal"\nquery-log-enabled = false\n'
            f'[http]\nbind-address = "127.0.0.1:{self.port}"\nlog-enabled = false\n'
            '[monitor]\nstore-enabled = false\n')
        return ["influxd", "-config", str(config)]

    def query(self, text):
        body = urllib.parse.urlencode({"db": "plant", "q": text, "epoch": "ns"}).encode()
        return json.loads(opener.open(f"http://127.0.0.1:{self.port}/query", body, timeout=300).read())

    def make(self):
        self.query("CREATE DATABASE plant")

    def times(self):
        """The points: the time, and the tag n."""
        series = self.query('SELECT "a", "n" FROM "t"')["results"][0].get("series", [{"values": []}])
        return [(row[0], row[2] or "", row[1]) for row in series[0]["values"]]

    def count(self, measurement):
        series = self.query(f'SELECT count(*) FROM "{measurement}"')["results"][0].get("series")
        return max(series[0]["values"][0][1:]) if series else 0


class Victoria(Server):
    health = "/health"

    def command(self):
        return [
            "victoria-metrics", f"-storageDataPath={self.folder}/data", f"-httpListenAddr=127.0.0.1:{self.port}",
            # Otherwise each repeated point is shown twice.
            "-retentionPeriod=100y", "-memory.allowedBytes=256MB", "-dedup.minScrapeInterval=1ms"]

    def make(self):
        pass

    def count(self, measurement):
        # It shows what it has taken a second later.
        before, found = -1, self.found(measurement)
        while found != before:
            time.sleep(1.5)
            before, found = found, self.found(measurement)
        return found

    def found(self, measurement):
        """It keeps a repeated point twice, until it merges its files, and milliseconds: so different values are counted."""
        self.get("/internal/force_flush")
        text = self.get("/api/v1/export", **{"match[]": f'{{__name__=~"{measurement}_.*"}}'})
        found = {}
        for line in text.splitlines():
            series = json.loads(line)
            points = found.setdefault(series["metric"]["__name__"], set())
            n = series["metric"].get("n", "")
            points.update((n, *point) for point in zip(series["timestamps"], series["values"]))
        return max(map(len, found.values()), default=0)


def recorder(arguments, **more):
    return subprocess.Popen([sluice, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=(work / "said").open("ab"), env=environment, **more)


def kill_again_and_again(server, command, kills, server_kills, shortest, longest):
    """Begins a command, and kills it, so many times; meanwhile its server is killed, too."""
    done = server_done = 0
    while done < kills:
        process = recorder(command)
        time.sleep(chance.uniform(shortest, longest))
        if server_done < server_kills and chance.random() < server_kills / kills:
            server.kill()
            server_done += 1
            time.sleep(chance.uniform(0, 0.3))
            server.start()
        process.kill()
        process.wait()
        done += 1
    return done, server_done


def kills_of_a_replay(server, name, count, kills, server_kills):
    """A replay is killed, and begun anew, while its server is killed, too. In the end each reading is there once."""
    trace = work / "t.csv"
    with trace.open("w") as file:
        file.write("time_ns,a\n")
        for number in range(count):
            file.write(f"{1_700_000_000_000_000_000 + (number - (number % 100 == 99)) * 1_000_000},{number}\n")
    server.start()
    server.make()
    command = ["replay", trace, "-o", server.address, "--spool", work / f"spool-{name}", "--sync", "50ms"]
    counts = kill_again_and_again(server, [*command, "--rate", "100"], kills, server_kills, 0.05, 0.5)
    subprocess.run([sluice, *map(str, command), "--quiet"], check=True, env=environment, timeout=600)
    return counts


def kills_of_a_recording(server, name, kills, server_kills, rate):
    """A recording of a sensor is killed, and its next run sends what waits. What its spool got is at the server once."""
    spool = work / f"live-{name}"
    command = ["record", f"live=sim:imu@{rate}", "-o", server.address, "--spool", spool, "--sync", "20ms"]
    kill_again_and_again(server, command, kills, server_kills, 0.3, 0.8)
    subprocess.run([sluice, *map(str, command), "--duration", "1s", "--quiet"], check=True, env=environment, timeout=120)
    subprocess.run([sluice, "resend", "--spool", str(spool), "--quiet"], check=True, env=environment, timeout=120)
    folder = next(spool.iterdir())
    shown = json.loads(subprocess.run([sluice, "spool", str(folder), "--json"], check=True, capture_output=True, env=environment).stdout)
    return shown["next"], spool


for kind, program in ((Influx, "influxd"), (Victoria, "victoria-metrics")):
    server = kind(program)
    try:
        count = 200_000
        # Each run of the replay puts the trace into the spool again, and VictoriaMetrics exports at most 30 million repeats.
        replays = kills if kind is Influx else min(kills, 100)
        done, server_done = kills_of_a_replay(server, program, count, replays, min(server_kills, replays))
        if kind is Influx:
            points = server.times()
            assert len(points) == count, f"{len(points)} points of {count}"
            assert sorted(row[2] for row in points) == list(range(count)), "a reading is missing, or there twice"
        else:
            found = server.count("t")
            assert found == count, f"{found} values of {count}"
        say(f"{program}: {count} readings, {done} kills of the replay, {server_done} of the server")
        # Of several readings of a stream in one millisecond, VictoriaMetrics keeps one.
        expected, spool = kills_of_a_recording(server, program, kills, server_kills, 2_000 if kind is Influx else 500)
        found = server.count("live")
        if kind is Victoria:
            # It answers before it has written. What a kill has cost is sent again.
            say(f"{program}: {expected - found} acknowledged readings were lost by {server_kills} kills of the server")
            subprocess.run([sluice, "resend", "--spool", str(spool), "--from", "0", "--quiet"], check=True, env=environment, timeout=120)
            found = server.count("live")
        say(f"{program}: {expected} readings were in the spool of a recording that was killed {kills} times; {found} are there")
        assert found == expected, "not as many points as readings"
    finally:
        if server.process:
            server.kill()
