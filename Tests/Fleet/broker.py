"""Brokers for tests: Debian's mosquitto, a broker of ours that answers as it is told, and a subscriber."""

import json
import os
import pathlib
import socket
import struct
import subprocess
import threading
import time


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Mosquitto:
    """Listens on the loopback device, is ended by its process id, and begun again on the same port."""

    def __init__(self, folder, settings="allow_anonymous true", port=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        # Files of certificates and passwords must be readable by the user that mosquitto becomes.
        self.folder.chmod(0o755)
        self.port, self.process = port or free_port(), None
        (self.folder / "mosquitto.conf").write_text(
            f"listener {self.port} 127.0.0.1\nlog_dest stderr\nset_tcp_nodelay true\nmax_queued_messages 0\n"
            f"user {os.environ.get('USER', 'root')}\n{settings}\n")

    def start(self):
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(["mosquitto", "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log)
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
                time.sleep(0.05)
        raise SystemExit("mosquitto does not answer")

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def url(self, topic="plant", scheme="mqtt"):
        return f"{scheme}://127.0.0.1:{self.port}/{topic}"


class Subscriber:
    """mosquitto_sub, which connects again by itself. Its messages are kept as it prints them, one JSON document a line."""

    def __init__(self, broker, topics, folder, *arguments):
        self.path = pathlib.Path(folder) / f"messages-{time.monotonic_ns()}"
        self.file = self.path.open("wb")
        self.process = subprocess.Popen(
            ["mosquitto_sub", "-V", "5", "-h", "127.0.0.1", "-p", str(broker.port), "-q", "1", "-t", topics, "-F", "%j", *arguments],
            stdout=self.file, stderr=subprocess.DEVNULL)
        time.sleep(0.3)

    def messages(self):
        """A message whose line is not whole yet is left out."""
        found = []
        for line in self.path.read_text().split("\n")[:-1]:
            message = json.loads(line)
            properties = message.get("properties", {})
            own = properties.get("user-properties", {})
            if isinstance(own, list):
                own = {name: value for pair in own for name, value in pair.items()}
            found.append((message["topic"], own, properties.get("content-type"), message.get("payload") or "", message["retain"]))
        return found

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.file.close()


class Landed:
    """The rows by board, epoch and number, as a subscriber must take them."""

    def __init__(self, messages):
        self.rows, self.headers, self.repeated, self.streams = {}, {}, 0, {}
        for topic, own, kind, payload, _ in messages:
            if "/readings/" not in topic:
                continue
            assert kind == "text/csv", kind
            lines = payload.splitlines()
            assert len(lines) == int(own["rows"]) + 1, (topic, own, len(lines))
            assert self.headers.setdefault(topic, lines[0]) == lines[0], "another header"
            for place, row in enumerate(lines[1:]):
                key = own.get("board", ""), own["epoch"], int(own["sequence"]) + place
                if key in self.rows:
                    self.repeated += 1
                    assert self.rows[key] == row and self.streams[key] == own["stream"], f"{key} has two rows"
                self.rows[key], self.streams[key] = row, own["stream"]

    def numbers(self):
        epochs = {key[1] for key in self.rows}
        assert len(epochs) == 1, epochs
        return {key[2] for key in self.rows}

    def gaps(self, count):
        """The numbers that are missing below `count`, as pairs of the first and the last."""
        there, gaps = self.numbers(), []
        for number in range(count):
            if number in there:
                continue
            if gaps and gaps[-1][1] == number - 1:
                gaps[-1][1] = number
            else:
                gaps.append([number, number])
        return gaps


class Cut(OSError):
    """The answer of a broker that ends the connection: with a message that it has taken, or without it."""

    def __init__(self, isTaken):
        self.isTaken = isTaken


class Broker:
    """Answers as `connect()` and `answer(topic, payload)` say: a reason code, or None for silence."""

    def __init__(self, answer=lambda topic, payload: 0, connect=lambda: b"\x20\x03\x00\x00\x00"):
        self.answer, self.connect, self.taken, self.connections = answer, connect, [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self):
        return f"mqtt://127.0.0.1:{self.port}/plant"

    def accept(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(line,), daemon=True).start()

    def packet(self, stream):
        first = stream.read(1)
        if not first:
            return None
        length, shift = 0, 0
        while True:
            byte = stream.read(1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return first[0], stream.read(length)

    def serve(self, line):
        stream = line.makefile("rb")
        try:
            while packet := self.packet(stream):
                kind, body = packet
                if kind >> 4 == 1:
                    answer = self.connect()
                    if answer is None:
                        continue
                    line.sendall(answer)
                elif kind >> 4 == 3:
                    length = struct.unpack(">H", body[:2])[0]
                    topic, number = body[2 : 2 + length].decode(), body[2 + length : 4 + length]
                    rest = body[4 + length :]
                    # The properties have a length of one or two bytes here.
                    size = rest[0] + 1 if rest[0] < 128 else (rest[0] & 127 | rest[1] << 7) + 2
                    try:
                        code = self.answer(topic, rest[size:])
                    except Cut as cut:
                        if cut.isTaken:
                            self.taken.append((topic, rest[size:].decode()))
                        raise
                    if code is not None:
                        line.sendall(b"\x40\x03" + number + bytes([code]))
                        if code < 128:
                            self.taken.append((topic, rest[size:].decode()))
                elif kind >> 4 == 12:
                    line.sendall(b"\xd0\x00")
                elif kind >> 4 == 14:
                    return
        except (OSError, IndexError):
            pass
        finally:
            line.close()

    def close(self):
        self.listener.close()

    def rows(self):
        return sum(len(payload.splitlines()) - 1 for topic, payload in self.taken if "/readings/" in topic)
