"""The sender against a server of ours: what each answer costs, and what is said. faults.py SLUICE FOLDER"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from server import Lines, Proxy

sluice, work = sys.argv[1], pathlib.Path(sys.argv[2])
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}


def run(*arguments, status=0, **more):
    done = subprocess.run([sluice, *map(str, arguments)], capture_output=True, text=True, env=environment | more, timeout=120)
    assert done.returncode == status, f"{arguments}: status {done.returncode}\n{done.stderr}"
    return done.stderr + done.stdout


def account(path):
    account = json.loads(pathlib.Path(path).read_text())
    return account, account["outputs"][0]["sending"]


def say(text):
    print(text, flush=True)


def trace(count, name="t.csv", every=1, bad=None):
    path = work / name
    with path.open("w") as file:
        file.write("time_ns,a,b\n")
        for number in range(count):
            # Each hundredth reading has the time of the one before it.
            time_ns = 1_700_000_000_000_000_000 + (number - (number % 100 == 99)) * 1_000_000
            file.write(f"{time_ns},{number if number != bad else 666666},{number / 4}\n")
    return path


count = 20_000
csv = trace(count)

# Everything arrives, equal times too, and again it is the same points.
server = Lines()
for _ in range(2):
    run("replay", csv, "-o", server.url(), "--stats", work / "a.json")
    whole, sent = account(work / "a.json")
    assert sent["acknowledged"]["readings"] == count and sent["queued"] == 0, sent
    assert len(server.points) == count and server.overwritten == 0, len(server.points)
say(f"{count} readings, 1 % of them with equal times: {count} points, also after a second replay")

# One row of a wrong type costs itself.
def refuse(server, path, lines):
    if any("a=666666," in line for line in lines):
        return 400, {}, '{"error":"field type conflict"}'
    return 204, {}, ""

for count_bad in (1_000, 100_000):
    bad = Lines(refuse)
    spool = work / f"spool-{count_bad}"
    said = run(
        "replay", trace(count_bad, "bad.csv", bad=count_bad // 3), "-o", bad.url(), "--spool", spool, "--stats",
        work / "a.json")
    whole, sent = account(work / "a.json")
    assert sent["refused"]["readings"] == 1 and len(bad.points) == count_bad - 1, (sent, len(bad.points))
    assert "field type conflict" in said and whole["unwritten"] == 1, said
    refused = next(spool.glob("*/refused.jsonl"))
    run("replay", refused, "-o", work / f"refused-{count_bad}.csv")
    rows = (work / f"refused-{count_bad}.csv").read_text().splitlines()
    assert len(rows) == 2 and "666666" in rows[1], rows
    say(f"one refused row of {count_bad}: it alone is set aside, {bad.requests} requests")

# A request that is refused as a whole costs no reading, and few requests.
for body, words in [
    ('{"error":"database is required"}', "whatever is in it"),
    ("Client sent an HTTP request to an HTTPS server.", "http or https"),
    ('{"error":"unable to parse"}', "refuses the reading"), ("", "refuses the reading"),
]:
    wrong = Lines(lambda server, path, lines: (400, {}, body))
    spool = work / f"spool-wrong-{len(body)}"
    said = run(
        "record", "sim:imu@1000", "-o", wrong.url(), "--spool", spool, "--duration", "2s", "--stats", work / "a.json")
    whole, sent = account(work / "a.json")
    assert sent["refused"]["readings"] == 0 and sent["queued"] > 1_500 and words in said, (sent, said)
    assert wrong.requests < 40, wrong.requests
    wrong.answer = lambda server, path, lines: (204, {}, "")
    said = run("resend", "--spool", spool)
    assert len(wrong.points) == sent["queued"], said
say("a 400 for the request: no reading is refused, and all arrive once it is mended")

# A page in place of the server.
portal = Lines(lambda server, path, lines: (200, {}, "<html>Log in</html>"))
said = run("record", "sim:imu@100", "-o", portal.url(), "--spool", work / "spool-portal", "--duration", "1s", "--stats", work / "a.json")
whole, sent = account(work / "a.json")
assert sent["acknowledged"]["readings"] == 0 and "answers a text" in said, (sent, said)
say("a 200 with a page is no acknowledgement")

# What a recording cannot go on with is set aside, and what is damaged costs only itself.
spool = work / "spool-portal"
folder = next(spool.iterdir())
said = run("record", "sim:meter", "-o", portal.url(), "--spool", spool, "--count", "2")
assert f"sluice resend --spool {folder}.old-1" in said, said
portal.points, portal.answer = {}, lambda server, path, lines: (204, {}, "")
said = run("resend", "--spool", f"{folder}.old-1")
assert len(portal.points) == sent["queued"], said
segment = sorted(folder.glob("*.log"))[0]
text = bytearray(segment.read_bytes())
text[40] ^= 255
segment.write_bytes(text)
(folder / "spool.json").write_text("{")
said = run("record", "sim:meter", "-o", portal.url(), "--spool", spool, "--count", "2")
assert "does not describe a spool any more" in said, said
said = run("resend", "--spool", folder, "--from", 0)
assert "4 acknowledged" in said, said
text = bytearray(segment.read_bytes())
readings = re.search(rb"SlgF[\x01\x03]", text)
text[readings.start() + 36] ^= 255
segment.write_bytes(text)
said = run("resend", "--spool", folder, "--from", 0, status=1)
assert "damaged" in said, said
run("resend", "--spool", folder, "--from", 1 << 62, status=64)
run("resend", "--spool", folder, "--from", 0, "--to", (1 << 64) - 1, status=64)
run("resend", "--spool", folder, "--from", (1 << 62) - 2, status=1)
say("other streams: set aside, with the command that sends them; damage: said, with status 1")

# Answers that are waited for, and what is said.
for status, headers, words in [
    (401, {}, "token-file="), (403, {}, "does not let this board write"), (404, {}, "make the database"),
    (429, {"Retry-After": "1"}, "asks to wait"), (500, {}, "takes no readings now (500)"),
    (503, {"Retry-After": "1"}, "takes no readings now (503)"), (413, {}, ""), (301, {"Location": "http://other/"}, "http://other/"),
]:
    state = {"left": 1}

    def answer(server, path, lines):
        if status == 413 and len(lines) > 700:
            return 413, {}, ""
        if status != 413 and state["left"]:
            state["left"] -= 1
            return status, headers, ""
        return 204, {}, ""

    one = Lines(answer)
    said = run("replay", trace(3_000, "few.csv"), "-o", one.url())
    assert words in said and len(one.points) == 3_000, (status, said)
say("301, 401, 403, 404, 413, 429, 500, 503: each has its sentence, and costs no reading")

# A server that is never there: the recording goes on, and the next run sends all.
away = Lines()
address = away.url()
away.shutdown(), away.server_close()
spool = work / "spool-away"
said = run(
    "record", "sim:imu@1000", "-o", address, "--spool", spool, "--duration", "2s", "--stats", work / "a.json")
whole, sent = account(work / "a.json")
first = sent["queued"]
assert first > 1_500 and whole["dropped"] == 0 and sent["acknowledged"]["readings"] == 0, sent
assert "there is no connection" in said and "sluice resend" in said, said
say(f"no server: {first} readings wait in the spool")
back = Lines.__new__(Lines)
back.points, back.requests, back.overwritten = {}, 0, 0
import http.server, threading
from server import Handler
back.lock, back.answer = threading.Lock(), lambda server, path, lines: (204, {}, "")
http.server.ThreadingHTTPServer.__init__(back, ("127.0.0.1", int(address.split(":")[2].split("/")[0])), Handler)
threading.Thread(target=back.serve_forever, daemon=True).start()
said = run(
    "record", "sim:imu@1000", "-o", address, "--spool", spool, "--duration", "1s", "--stats", work / "a.json")
whole, sent = account(work / "a.json")
assert sent["resumed"] == first and sent["queued"] == 0, sent
assert len(back.points) == sent["acknowledged"]["readings"], (len(back.points), sent)
say("the next run sends them first")
before, requests = len(back.points), back.requests
said = run("resend", "--spool", spool, "--from", 0, "--to", 999)
assert "1,000 acknowledged" in said and len(back.points) == before and back.requests > requests, said
said = run("resend", "--spool", spool, "--from", before - 10, "--to", before + 10, status=1)
assert f"does not have numbers {before} to {before + 10}" in said, said
say("resend sends the same points, and says which are gone")

# In memory only: what is not acknowledged is not written, and the status says so.
gone = Lines()
nobody = gone.url()
gone.shutdown(), gone.server_close()
run("record", "sim:imu@1000", "-o", nobody, "-o", work / "beside.csv", "--duration", "1s", "--stats", work / "a.json", status=1)
whole, _ = account(work / "a.json")
assert whole["outputs"][0]["streams"][0]["written"] == 0 and whole["outputs"][1]["streams"][0]["unwritten"] == 0, whole
say("without a spool, what a server that is away lacks is counted, and the file beside it has all")

# Secrets.
token = work / "token"
token.write_text("hush\n")
token.chmod(0o600)
quiet = Lines()
said = run("replay", csv, "-o", quiet.url(), "--server", f"token-file={token}", "-v")
assert quiet.headers_seen["Authorization"] == "Bearer hush" and "hush" not in said, said
run("replay", csv, "-o", quiet.url("/api/v2/write?org=o&bucket=b"), SLUICE_TOKEN="hush")
assert quiet.headers_seen["Authorization"] == "Token hush"
run("replay", csv, "-o", quiet.url(), SLUICE_LOGIN="me:hush")
assert quiet.headers_seen["Authorization"].startswith("Basic ")
said = run("replay", csv, "-o", quiet.url().replace("http://", "http://me:hush@"), status=64)
assert "hush" not in said and "token-file=" in said, said
said = run("replay", csv, "-o", quiet.url().replace("http://", "http://me:hu/sh@"), status=64)
assert "hu/" not in said and "sh@" not in said, said
said = run("replay", csv, "-o", quiet.url(), SLUICE_TOKEN="hush\nX-Other: 1", status=1)
assert "hush" not in said and "SLUICE_TOKEN" in said, said
beside = Lines()
said = run("replay", csv, "-o", quiet.url(), "-o", beside.url(), SLUICE_TOKEN="hush", status=64)
assert "secrets-for=HOST" in said and beside.requests == 0, said
run(
    "replay", csv, "-o", quiet.url(), "-o", beside.url(), "--server",
    f"secrets-for=127.0.0.1:{quiet.server_address[1]}", SLUICE_TOKEN="hush")
assert quiet.headers_seen["Authorization"] == "Bearer hush" and "Authorization" not in beside.headers_seen
assert "hush" not in run("plan", "json", "replay", csv, "-o", quiet.url(), "--server", f"token-file={token}")
say("tokens and logins: from a file or the environment, never shown")

# Faults of the line.
behind = Lines()
proxy = Proxy(behind.server_address[1])
spool = work / "spool-proxy"
run(
    "replay", trace(200_000, "long.csv"), "-o", f"http://127.0.0.1:{proxy.address}/write?db=x", "--spool", spool,
    "--server", "send-timeout=1s", "--stats", work / "a.json")
whole, sent = account(work / "a.json")
assert len(behind.points) == 200_000 and sent["acknowledged"]["readings"] == 200_000 and behind.overwritten == 0, sent
say(f"200,000 readings through {proxy.counts}: all are there once, {sent['repeated']['readings']} were sent again")
