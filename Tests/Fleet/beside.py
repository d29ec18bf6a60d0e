"""What others lose through the same cuts of a broker: mosquitto_pub -l, the bridge of a mosquitto, and sluice. beside.py SLUICE FOLDER KILLS"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from broker import Landed, Mosquitto, Subscriber

sluice, work, kills = sys.argv[1], pathlib.Path(sys.argv[2]) / "beside", int(sys.argv[3])
work.mkdir()
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
chance = random.Random(3)
RATE = 500


def begin(command, **more):
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=(work / "said").open("ab"), env=environment, **more)


broker = Mosquitto(work / "broker").start()
subscriber = Subscriber(broker, "#", work, "-c", "-i", "keeper", "-x", "86400")
bridge = Mosquitto(
    work / "bridge",
    f"allow_anonymous true\nconnection up\naddress 127.0.0.1:{broker.port}\ntopic bridge/# out 1\ncleansession false\n"
    "restart_timeout 1\nbridge_protocol_version mqttv50").start()
time.sleep(1)
readers = {
    "sluice": begin(
        [sluice, "record", "s=lines:-", "-o", broker.url("ours"), "--spool", work / "spool", "--server", "board=b"], stdin=subprocess.PIPE),
    "mosquitto_pub -l": begin(["mosquitto_pub", "-V", "5", "-p", broker.port, "-q", "1", "-t", "pub", "-l"], stdin=subprocess.PIPE),
    "a mosquitto with a bridge": begin(["mosquitto_pub", "-V", "5", "-p", bridge.port, "-q", "1", "-t", "bridge/x", "-l"], stdin=subprocess.PIPE),
}
time.sleep(1)
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
ended = {}
number, begun, back = 0, time.monotonic(), None
cuts = [3 + 4 * index + chance.uniform(0, 1) for index in range(kills)]
length = 3 + 4 * kills + 4
readers["sluice"].stdin.write(b"n\n")
while time.monotonic() - begun < length:
    while number < (time.monotonic() - begun) * RATE:
        for name, process in readers.items():
            try:
                process.stdin.write(b"%d\n" % number)
                process.stdin.flush()
            except OSError:
                ended.setdefault(name, number)
        number += 1
    if cuts and time.monotonic() - begun > cuts[0]:
        cuts.pop(0)
        broker.kill()
        back = time.monotonic() + chance.uniform(0.2, 1.5)
    if back and time.monotonic() > back:
        broker.start()
        back = None
    time.sleep(0.002)
for process in readers.values():
    try:
        process.stdin.close()
    except OSError:
        pass
for process in readers.values():
    process.wait(timeout=60)
time.sleep(3)


def of(topic):
    return {int(message[3]) for message in subscriber.messages() if message[0] == topic and message[3].strip().isdigit()}


def ours():
    return {int(row.split(",")[1]) for row in Landed(m for m in subscriber.messages() if m[0].startswith("ours/")).rows.values()}


lost = {"mosquitto_pub -l": number - len(of("pub")), "a mosquitto with a bridge": number - len(of("bridge/x"))}
gaps = Landed(m for m in subscriber.messages() if m[0].startswith("ours/")).gaps(number)
for first, last in gaps:
    subprocess.run([sluice, "resend", "--spool", str(work / "spool"), "--from", str(first), "--to", str(last), "--quiet"], check=True, env=environment)
time.sleep(1)
missing = sum(last - first + 1 for first, last in gaps)
assert len(ours()) == number, f"{number - len(ours())} of {number} are missing after resend"
print(f"a broker killed {kills} times while {number} readings came:")
print(f"  sluice: {missing} of them in {len(gaps)} gaps of the numbers, and after resend none is missing")
for name, count in lost.items():
    print(f"  {name}: {count} are missing, and nothing says so" + (f"; it has ended at reading {ended[name]}" if name in ended else ""))
subscriber.close()
bridge.kill()
broker.kill()
