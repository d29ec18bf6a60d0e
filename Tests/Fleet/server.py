"""A server of line protocol with faults, and a proxy with faults before a server that is real."""

import gzip
import http.server
import random
import re
import select
import socket
import struct
import threading
import time


class Lines(http.server.ThreadingHTTPServer):
    """Keeps the points in memory. `answer(path, lines)` returns a status, headers and a body; nil answers are swallowed."""

    daemon_threads = True

    def __init__(self, answer=None):
        self.points, self.lock, self.requests = {}, threading.Lock(), 0
        self.overwritten = 0
        self.answer = answer or (lambda server, path, lines: (204, {}, ""))
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, address):
        pass

    def url(self, path="/write?db=x"):
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def take(self, lines):
        with self.lock:
            for line in lines:
                match = re.fullmatch(r"((?:\\.|[^ \\])+) (.*) (-?\d+)", line)
                assert match, f"no line protocol: {line!r}"
                point = match[1], int(match[3])
                self.overwritten += self.points.get(point, match[2]) != match[2]
                self.points[point] = match[2]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.requests += 1
        self.server.headers_seen = dict(self.headers)
        answer = self.server.answer(self.server, self.path, body.decode().splitlines())
        if answer is None:
            self.close_connection = True
            return
        status, headers, text = answer
        if status < 300:
            self.server.take(body.decode().splitlines())
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


class Proxy:
    """Passes bytes to a port on this machine, with faults: delay, stall, cut, an answer that is swallowed, a half-open line,
    503 with Retry-After."""

    KINDS = ["delay", "cut request", "swallow answer", "half-open", "busy"]

    def __init__(self, port, seed=1):
        self.port, self.random = port, random.Random(seed)
        self.counts = {kind: 0 for kind in self.KINDS}
        self.kinds = self.KINDS
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(line,), daemon=True).start()

    def serve(self, line):
        kind = self.random.choice(self.kinds)
        self.counts[kind] += 1
        # So many requests are answered rightly before.
        left = self.random.randrange(4)
        behind = None
        try:
            behind = socket.create_connection(("127.0.0.1", self.port))
            while True:
                ready, _, _ = select.select([line, behind], [], [])
                if line in ready:
                    request = line.recv(1 << 16)
                    if not request:
                        return
                    if request.startswith(b"POST"):
                        left -= 1
                        if left < 0 and not self.passes(kind, request, line, behind):
                            return
                    behind.sendall(request)
                if behind in ready:
                    answer = behind.recv(1 << 16)
                    if not answer or kind == "swallow answer" and left < 0:
                        return
                    line.sendall(answer)
        except OSError:
            pass
        finally:
            for end in (line, behind):
                if end:
                    # A reset, as of a machine that has gone.
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    end.close()

    def passes(self, kind, request, line, behind):
        if kind == "delay":
            time.sleep(self.random.random() / 5)
        elif kind == "busy":
            while b"\r\n\r\n" not in request:
                request += line.recv(1 << 16)
            line.sendall(b"HTTP/1.1 503 no\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            line.shutdown(socket.SHUT_WR)
            # Otherwise the reset would overtake the answer.
            while line.recv(1 << 16):
                pass
            return False
        elif kind == "cut request":
            behind.sendall(request[: len(request) // 2])
            return False
        elif kind == "half-open":
            # The sender gives up first.
            while line.recv(1 << 16):
                pass
            return False
        return True

    def close(self):
        self.listener.close()
