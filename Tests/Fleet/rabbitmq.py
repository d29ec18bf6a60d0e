"""RabbitMQ is killed while it is sent to. What it has acknowledged is there. rabbitmq.py SLUICE FOLDER KILLS"""

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time

from broker import Landed, Subscriber, free_port

sluice, work, kills = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
root = work / "root"
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
chance = random.Random(11)


class RabbitMQ:
    """Listens on the loopback device, is ended by its process id, and begun again with the same files."""

    def __init__(self):
        self.port, self.process = free_port(), None
        self.environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/var/lib/rabbitmq", "RABBITMQ_NODENAME": "sluice@localhost",
            "RABBITMQ_ENABLED_PLUGINS_FILE": "/etc/rabbitmq/plugins", "ERL_EPMD_ADDRESS": "127.0.0.1", "ERL_EPMD_PORT": str(free_port()),
            "RABBITMQ_DIST_PORT": str(free_port()), "LC_ALL": "C.UTF-8",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}"}
        (root / "etc/rabbitmq/plugins").write_text("[rabbitmq_mqtt].\n")
        (root / "etc/rabbitmq/rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{free_port()}\nmqtt.listeners.tcp.1 = 127.0.0.1:{self.port}\nlog.file.level = error\n")

    def start(self):
        log = (work / "log").open("ab")
        # A group of its own, because the programs that it starts have it as their parent.
        self.process = subprocess.Popen(
            ["chroot", str(root), "/usr/lib/rabbitmq/bin/rabbitmq-server"], stdout=log, stderr=log, env=self.environment, start_new_session=True)
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, (work / "log").read_text()[-2000:]
                time.sleep(0.1)
        raise SystemExit("RabbitMQ does not answer\n" + (work / "log").read_text()[-2000:])

    def kill(self):
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


def account():
    return json.loads((work / "a.json").read_text())["outputs"][0]["sending"]


def until(condition, seconds=60):
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit("it did not happen")


broker = RabbitMQ()
try:
    broker.start()
    said = subprocess.run([sluice, "doctor", f"mqtt://127.0.0.1:{broker.port}/plant"], capture_output=True, text=True, env=environment)
    assert "MQTT 5" in said.stdout + said.stderr, said
    # A session that outlives the connection: its queue is on the disk of the broker.
    subscriber = Subscriber(broker, "plant/#", work, "-c", "-i", "keeper", "-x", "86400")
    time.sleep(2)
    count, path = 40_000, work / "t.csv"
    with path.open("w") as file:
        file.write("time_ns,a\n")
        file.writelines(f"{1_700_000_000_000_000_000 + number * 1_000_000},{number}\n" for number in range(count))
    # RabbitMQ takes some seconds to begin.
    rate = count / 1_000 / (kills * 8)
    process = subprocess.Popen(
        [sluice, "replay", str(path), "-o", f"mqtt://127.0.0.1:{broker.port}/plant", "--spool", str(work / "spool"), "--rate", f"{rate:.2f}",
         "--server", "board=b", "--stats", str(work / "a.json")], stdout=subprocess.DEVNULL, stderr=(work / "said").open("ab"), env=environment)
    for _ in range(kills):
        time.sleep(chance.uniform(1, 3))
        broker.kill()
        time.sleep(chance.uniform(0, 1))
        broker.start()
    assert process.wait(timeout=600) == 0, (work / "said").read_text()[-2000:]
    sent = account()
    assert sent["acknowledged"]["readings"] == count and sent["queued"] == 0, sent
    landed = until(lambda: (landed := Landed(subscriber.messages())) and len(landed.rows) >= count and landed)
    assert landed.gaps(count) == [], landed.gaps(count)
    assert [landed.rows[key].split(",")[1] for key in sorted(landed.rows, key=lambda key: key[2])] == [str(n) for n in range(count)]
    print(
        f"RabbitMQ 4 killed {kills} times: {count} readings, {sent['repeated']['readings']} sent again, {landed.repeated} came twice with the same "
        f"number, {sent.get('unheard', {}).get('readings', 0)} unheard, no acknowledged one is missing", flush=True)
    subscriber.close()
finally:
    broker.kill()
