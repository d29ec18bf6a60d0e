"""MQTT: what each answer of a broker costs, and what is said; mosquitto and the recorder are killed. mqtt.py SLUICE FOLDER KILLS BROKER_KILLS"""

import json
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys
import time

from broker import Broker, Cut, Landed, Mosquitto, Subscriber

sluice, work = sys.argv[1], pathlib.Path(sys.argv[2]) / "mqtt"
kills, broker_kills = int(sys.argv[3]), int(sys.argv[4])
work.mkdir()
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}
chance = random.Random(7)
brokers = []


def say(text):
    print(text, flush=True)


def run(*arguments, status=0, **more):
    done = subprocess.run([sluice, *map(str, arguments)], capture_output=True, text=True, env=environment | more, timeout=300)
    assert done.returncode == status, f"{arguments}: status {done.returncode}\n{done.stderr}"
    return done.stderr + done.stdout


def begin(*arguments, **more):
    said = (work / "said").open("ab")
    return subprocess.Popen([sluice, *map(str, arguments)], stdout=said, stderr=said, env=environment | more)


def end(process):
    process.kill()
    process.wait()


def mosquitto(name, settings="allow_anonymous true", **more):
    broker = Mosquitto(work / name, settings, **more)
    brokers.append(broker)
    return broker.start()


def account():
    whole = json.loads((work / "a.json").read_text())
    return whole, whole["outputs"][0]["sending"]


def until(condition, seconds=20):
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit("it did not happen")


def trace(count, name="t.csv"):
    path = work / name
    with path.open("w") as file:
        file.write("time_ns,a,b\n")
        for number in range(count):
            # Each hundredth reading has the time of the one before it.
            time_ns = 1_700_000_000_000_000_000 + (number - (number % 100 == 99)) * 1_000_000
            file.write(f"{time_ns},{number},{number / 4}\n")
    return path


def everything():
    """All rows arrive once, as the CSV output has them."""
    broker, count = mosquitto("plain"), 20_000
    path = trace(count)
    subscriber = Subscriber(broker, "plant/#", work)
    run("replay", path, "-o", broker.url(), "--server", "board=b 1", "--stats", work / "a.json", "-o", work / "same.csv")
    landed = until(lambda: (landed := Landed(subscriber.messages())) and len(landed.rows) >= count and landed)
    rows = [landed.rows[key] for key in sorted(landed.rows, key=lambda key: key[2])]
    lines = (work / "same.csv").read_text().splitlines()
    assert lines == [next(iter(landed.headers.values())), *rows], "other rows than in the file"
    assert landed.repeated == 0 and account()[1]["acknowledged"]["readings"] == count
    assert set(landed.headers) == {"plant/b%201/readings/t"}, landed.headers
    messages = subscriber.messages()
    meta = json.loads(next(message[3] for message in messages if message[0].endswith("/meta")))
    assert [channel["sluice:name"] for channel in meta["sluice:streams"][0]["sluice:channels"]] == ["a", "b"], meta
    run("record", "x=sim:imu@200", "y=sim:meter@50", "-o", broker.url(), "--server", "board=two", "--duration", "2s", "--stats", work / "a.json")
    sent = account()[1]["acknowledged"]["readings"]
    landed = until(
        lambda: (landed := Landed(m for m in subscriber.messages() if m[1].get("board") == "two")) and len(landed.rows) >= sent and landed)
    assert landed.numbers() == set(range(sent)) and set(landed.streams.values()) == {"x", "y"}
    own = next(message[1] for message in subscriber.messages() if message[0] == "plant/two/readings/x")
    assert own["unit"].startswith("m/s^2,") and int(own["clock_error_ns"]) > 0, own
    say(f"mosquitto: {count} readings, and {sent} of two streams, each there once, as in the CSV file")
    subscriber.close()


def states():
    broker = mosquitto("states")

    def state():
        """What somebody who comes later gets."""
        seen = subprocess.run(
            ["mosquitto_sub", "-V", "5", "-p", str(broker.port), "-t", "plant/b/state", "-C", "1", "-W", "2"], capture_output=True, text=True)
        whole = json.loads(seen.stdout) if seen.stdout else {"state": None}
        assert whole["state"] != "ended" or whole["next"] > 0, whole
        return whole["state"]

    command = ["record", "sim:imu@100", "-o", broker.url(), "--server", "board=b"]
    process = begin(*command)
    until(lambda: state() == "online")
    process.terminate()
    process.wait()
    assert state() == "ended", state()
    process = begin(*command)
    until(lambda: state() == "online")
    end(process)
    until(lambda: state() == "gone")
    say("the state of a board: online, ended after a stop, gone after a kill")


def killed_brokers():
    """The broker is killed while it is sent to. What its memory had is a gap, which resend closes."""
    broker, count, spool = mosquitto("killed", "allow_anonymous true\npersistence true\npersistence_location " + str(work / "killed") + "/"), 30_000, work / "spool-killed"
    subscriber = Subscriber(broker, "plant/#", work)
    path = trace(count, "k.csv")
    # The trace is as long as the kills take, whatever its own length is.
    rate = count / 1_000 / (broker_kills * 2)
    process = begin("replay", path, "-o", broker.url(), "--spool", spool, "--rate", f"{rate:.2f}", "--server", "board=b", "--stats", work / "a.json")
    for _ in range(broker_kills):
        time.sleep(chance.uniform(0.5, 1.5))
        broker.kill()
        time.sleep(chance.uniform(0, 1))
        broker.start()
    assert process.wait(timeout=300) == 0, (work / "said").read_text()[-2000:]
    sent = account()[1]
    assert sent["acknowledged"]["readings"] == count and sent["queued"] == 0, sent
    time.sleep(1.5)
    gaps = Landed(subscriber.messages()).gaps(count)
    for first, last in gaps:
        run("resend", "--spool", spool, "--from", first, "--to", last, "--quiet")
    landed = until(lambda: (landed := Landed(subscriber.messages())) and not landed.gaps(count) and landed)
    assert [landed.rows[key].split(",")[1] for key in sorted(landed.rows, key=lambda key: key[2])] == [str(n) for n in range(count)]
    lost = sum(last - first + 1 for first, last in gaps)
    say(
        f"mosquitto killed {broker_kills} times: {sent['repeated']['readings']} readings sent again, {len(gaps)} gaps with {lost} "
        f"acknowledged readings, {sent.get('unheard', {}).get('readings', 0)} of them known to be unheard; resend closed all")
    subscriber.close()


def killed_recorders():
    broker, spool = mosquitto("recorders"), work / "spool-recorders"
    subscriber = Subscriber(broker, "plant/#", work)
    command = ["record", "live=sim:imu@1000", "-o", broker.url(), "--spool", spool, "--sync", "20ms", "--server", "board=b"]
    for _ in range(kills):
        process = begin(*command)
        time.sleep(chance.uniform(0.3, 0.8))
        end(process)
    run(*command, "--duration", "500ms", "--quiet")
    run("resend", "--spool", spool, "--quiet")
    shown = json.loads(run("spool", next(spool.iterdir()), "--json"))
    count = shown["next"]
    landed = until(lambda: (landed := Landed(subscriber.messages())) and len(landed.rows) >= count and landed)
    assert landed.numbers() == set(range(count)), (count, landed.gaps(count))
    say(f"a recording killed {kills} times: {count} readings were in its spool, {count} are there, {landed.repeated} came twice with the same number")
    subscriber.close()


def landing():
    """sluice land is killed, and so is its broker. In the end the files have each reading once."""
    broker, spool, folder = mosquitto("landing"), work / "spool-landing", work / "landed"
    command = ["land", f"{broker.url('plant')}/#", "-o", folder]
    said = work / "landing-said"

    def land():
        return subprocess.Popen([sluice, *map(str, command)], stdout=subprocess.DEVNULL, stderr=said.open("ab"), env=environment)

    count = 40_000
    path = trace(count, "l.csv")
    rate = count / 1_000 / (kills * 0.7 + 2)
    process = land()
    until(lambda: said.exists() and "connected" in said.read_text())
    sender = begin("replay", path, "-o", broker.url(), "--spool", spool, "--rate", f"{rate:.2f}", "--server", "board=b/7")
    for number in range(kills):
        time.sleep(chance.uniform(0.3, 0.9))
        if number == kills // 2:
            broker.kill()
            broker.start()
        end(process)
        process = land()
    assert sender.wait(timeout=300) == 0
    time.sleep(2)
    process.terminate()
    assert process.wait(timeout=20) == 0
    text = run(*command, "--duration", "2s")
    gaps = set(re.findall(r"b/7: numbers (\d+) to (\d+) of the epoch \w+ have not come; on the board: sluice resend", text))
    listed = sum(int(last) - int(first) + 1 for first, last in gaps)
    process = land()
    time.sleep(0.7)
    for first, last in gaps:
        run("resend", "--spool", spool, "--from", first, "--to", last, "--quiet")
    rows = folder / "b%2F7" / "l.csv"
    until(lambda: rows.read_text().count("\n") >= count + 1)
    # Of the last batch it does not know whether more comes.
    process.terminate()
    assert process.wait(timeout=20) == 0
    text = run(*command, "--duration", "1s")
    assert "0 are missing in 0 gaps" in text, text
    lines = rows.read_text().splitlines()
    assert sorted(int(line.split(",")[1]) for line in lines[1:]) == list(range(count)), "a reading is missing, or there twice"
    say(f"land killed {kills} times, its broker once: {len(gaps)} gaps with {listed} readings were listed, and resend closed all")


def refusals():
    few = trace(3_000, "few.csv")

    def answers(code, times=1):
        left = {"left": times}

        def answer(topic, payload):
            if "/readings/" in topic and left["left"]:
                left["left"] -= 1
                return code
            return 0

        return answer

    for code, words in [
        (0x97, "quota is used up"), (0x87, "does not let this board publish to plant/b/readings/few"), (0x90, "does not take the topic"),
        (0x80, "does not take the message"), (0x83, "cannot process"), (0x10, "nobody has subscribed"),
    ]:
        broker = Broker(answers(code))
        said = run("replay", few, "-o", broker.url(), "--server", "board=b", "--stats", work / "a.json")
        sent = account()[1]
        assert words in said and broker.rows() == 3_000, (hex(code), said, broker.rows())
        assert sent["acknowledged"]["readings"] == 3_000 and (code == 0x10) == ("unheard" in sent), sent
    say("0x80, 0x83, 0x87, 0x90, 0x97, 0x10: each has its sentence, and costs no reading")

    def small(topic, payload):
        return 0x95 if "/readings/" in topic and len(payload) > 5_000 else 0

    broker = Broker(small)
    run("replay", few, "-o", broker.url(), "--server", "board=b")
    assert broker.rows() == 3_000, broker.rows()

    def strict(topic, payload):
        return 0x99 if b",666," in payload else 0

    broker = Broker(strict)
    said = run("replay", few, "-o", broker.url(), "--spool", work / "strict", "--stats", work / "a.json")
    assert account()[1]["refused"]["readings"] == 1 and "refuses the form" in said, said
    refused = next((work / "strict").glob("*/refused.jsonl")).read_text()
    assert refused.count("\n") >= 1 and "666" in refused
    say("0x95: smaller messages; 0x99: the reading alone is set aside")

    first = {"connections": 0}

    def old():
        return b"\x20\x02\x00\x01"

    # The codes of a broker that knows 3.1.1 only, of a wrong password, and of one that takes no retained will.
    def kept():
        first["connections"] += 1
        return b"\x20\x03\x00\x9a\x00" if first["connections"] == 1 else b"\x20\x03\x00\x00\x00"

    live = ["record", "sim:meter", "--count", "2", "--spool", work / "live"]
    said = run(*live, "-o", Broker(connect=old).url())
    assert "does not speak MQTT 5" in said and "mqtt=3.1.1" in said, said
    broker = Broker(connect=kept)
    run("replay", few, "-o", broker.url())
    assert broker.rows() == 3_000 and broker.connections == 2
    said = run(*live, "-o", Broker(connect=lambda: b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" + 40 * b"<p>no MQTT here</p>").url())
    assert "is not MQTT" in said or "has ended the connection" in said, said
    silent = Broker(answers(None, 1_000_000))
    said = run(*live, "-o", silent.url(), "--server", "send-timeout=500ms")
    assert "does not acknowledge in time" in said and "sluice resend" in said, said
    say("MQTT 3.1.1 only, no retained messages, no MQTT at all, silence: each has its sentence")


def cuts():
    """The line is cut again and again, half of the times behind a message whose acknowledgement is lost."""
    count, state = 20_000, {"cuts": 0, "left": 5}

    def answer(topic, payload):
        state["left"] -= 1
        if "/readings/" in topic and state["left"] < 0 and state["cuts"] < 8:
            state["cuts"], state["left"] = state["cuts"] + 1, chance.randrange(8)
            raise Cut(chance.random() < 0.5)
        return 0

    broker = Broker(answer)
    run("replay", trace(count, "c.csv"), "-o", broker.url(), "--spool", work / "spool-cuts", "--stats", work / "a.json")
    rows = [line.split(",")[1] for topic, payload in broker.taken if "/readings/" in topic for line in payload.splitlines()[1:]]
    assert set(rows) == set(map(str, range(count))), len(set(rows))
    sent = account()[1]
    assert sent["acknowledged"]["readings"] == count and 0 < len(rows) - count <= state["cuts"] * 16 * 1_024, len(rows)
    say(f"the line cut {state['cuts']} times: {count} readings are there, {len(rows) - count} of them came twice")


def limits():
    broker = mosquitto("limits", "allow_anonymous true\nmax_inflight_messages 2\nmessage_size_limit 6000")
    subscriber = Subscriber(broker, "plant/#", work)
    run("replay", work / "few.csv", "-o", broker.url(), "--server", "board=b")
    until(lambda: len(Landed(subscriber.messages()).rows) == 3_000)
    subscriber.close()
    broker = mosquitto("packets", "allow_anonymous true\nmax_packet_size 6000")
    subscriber = Subscriber(broker, "plant/#", work)
    run("replay", work / "few.csv", "-o", broker.url(), "--server", "board=b")
    until(lambda: len(Landed(subscriber.messages()).rows) == 3_000)
    subscriber.close()
    broker = mosquitto("old")
    subscriber = Subscriber(broker, "plant/#", work)
    run("replay", work / "few.csv", "-o", broker.url(), "--server", "board=b", "--server", "mqtt=3.1.1")
    until(lambda: sum(message[3].count("\n") - 1 for message in subscriber.messages() if "/readings/" in message[0]) == 3_000)
    subscriber.close()
    say("mosquitto with a receive maximum of 2, small messages, small packets, and MQTT 3.1.1: every reading is there")


def secrets():
    folder = work / "users"
    folder.mkdir()
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(folder / "users"), "board", "verysecret"], check=True, capture_output=True)
    (folder / "users").chmod(0o644)
    (folder / "acl").write_text("user board\ntopic readwrite plant/ours/#\n")
    (folder / "acl").chmod(0o644)
    broker = mosquitto("secrets", f"allow_anonymous false\npassword_file {folder}/users\nacl_file {folder}/acl")
    login = work / "login"
    login.write_text("board:verysecret\n")
    login.chmod(0o600)
    live = ["record", "sim:meter", "--count", "2", "--spool", work / "spool-secrets"]
    ours = ["-o", broker.url("plant"), "--server", "board=ours", "--stats", work / "a.json"]
    run(*live, *ours, "--server", f"login-file={login}")
    assert account()[1]["acknowledged"]["readings"] == 2
    run(*live, *ours, SLUICE_LOGIN="board:verysecret")
    assert account()[1]["queued"] == 0
    for more, words in [({}, "login-file="), ({"SLUICE_LOGIN": "board:wrongsecret"}, "login-file=")]:
        said = run(*live, *ours, **more)
        assert words in said and "let this board in" in said and "wrongsecret" not in said, said
        assert account()[1]["queued"] > 0
    said = run(*live[:-1], work / "spool-denied", "-o", broker.url("other"), "--server", "board=b", SLUICE_LOGIN="board:verysecret")
    assert "does not let this board publish to other/b/readings/meter (0x87)" in said, said
    said = run("record", "sim:meter", "-o", "mqtt://board:verysecret@127.0.0.1/plant", status=64)
    assert "login-file" in said and "verysecret" not in said, said
    said = run("doctor", broker.url("plant"), "--server", f"login-file={login}", "--server", "board=ours", "--probe")
    assert "nobody has subscribed" in said or "has taken the empty message" in said, said
    said = run("doctor", broker.url("other"), "--server", f"login-file={login}", "--probe", status=1)
    assert "0x87" in said, said
    assert "login-file=" in run("doctor", broker.url("plant"), status=1)
    for path in work.rglob("*"):
        if path.is_file() and path != login:
            assert b"verysecret" not in path.read_bytes(), path
    say("a wrong password, a topic that is denied, a password in the address: refused; no file has the password")


def tls():
    folder = work / "tls"
    folder.mkdir()

    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=folder)

    def authority(name):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")

    def certificate(name, subject, days=2):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={subject}")
        kind = "IP" if subject[0].isdigit() else "DNS"
        (folder / "ext").write_text(f"subjectAltName={kind}:{subject}\n")
        openssl(
            "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", days, "-extfile", "ext",
            "-out", f"{name}.pem")

    authority("ca"), authority("other")
    certificate("right", "127.0.0.1"), certificate("name", "db.example"), certificate("old", "127.0.0.1", days=0), certificate("board", "board")
    for path in folder.iterdir():
        # The broker is another user; the key of the board is for nobody else.
        path.chmod(0o600 if path.name == "board.key" else 0o644)
    time.sleep(2)

    def broker(name, more=""):
        return mosquitto(f"tls-{name}", f"allow_anonymous true\ncertfile {folder}/{name}.pem\nkeyfile {folder}/{name}.key\n{more}")

    ca, number = f"ca={folder}/ca.pem", [0]

    def record(broker, *settings, scheme="mqtts"):
        number[0] += 1
        command = ["record", "sim:meter", "--count", "2", "--spool", work / f"spool-tls-{number[0]}", "-o", broker.url(scheme=scheme)]
        for setting in settings:
            command += ["--server", setting]
        said = run(*command, "--stats", work / "a.json")
        return said, account()[1]["acknowledged"]["readings"]

    right = broker("right")
    said, count = record(right, ca)
    assert count == 2, said
    for one, settings, words in [
        (right, [], "no authority that this board knows"), (right, [f"ca={folder}/other.pem"], "no authority that this board knows"),
        (broker("name"), [ca], "is for another name than 127.0.0.1"), (broker("old"), [ca], "has expired"),
    ]:
        said, count = record(one, *settings)
        assert words in said and count == 0, (settings, said)
    said, count = record(right, scheme="mqtt")
    assert count == 0, "a broker with TLS took plain text"
    said = run(
        "record", "sim:meter", "--count", "1", "-o", right.url(scheme="mqtts"), "--server", f"ca={folder}/none.pem", status=1)
    assert "--server ca= cannot be used" in said, said
    said = run("doctor", right.url(scheme="mqtts"), "--server", ca)
    assert "with TLSv1." in said, said
    say("TLS: an unknown authority, another name and an expired certificate are refused, each with its sentence")
    asks = mosquitto(
        "tls-asks", f"allow_anonymous true\ncertfile {folder}/right.pem\nkeyfile {folder}/right.key\ncafile {folder}/ca.pem\nrequire_certificate true")
    said, count = record(asks, ca)
    assert count == 0, said
    said, count = record(asks, ca, f"cert={folder}/board.pem", f"key={folder}/board.key")
    assert count == 2, said
    old = subprocess.Popen(
        ["openssl", "s_server", "-quiet", "-accept", f"127.0.0.1:{(one := Mosquitto(work / 'tls-openssl')).port}", "-cert", f"{folder}/right.pem",
         "-key", f"{folder}/right.key", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    said, count = record(one, ca)
    end(old)
    assert count == 0 and "TLS" in said, said
    say("TLS: the board shows its certificate; 1.1 is refused")


def together(name, rows):
    """Rows in a process and a folder of their own, because most of their time is waiting."""
    global work
    work = work / name
    work.mkdir()
    try:
        for row in rows:
            row()
    finally:
        for broker in brokers:
            broker.kill()


groups = {"rows": [everything, states, refusals, limits], "cuts": [cuts], "kills": [killed_brokers, killed_recorders], "land": [landing], "secrets": [secrets], "tls": [tls]}
processes = [multiprocessing.Process(target=together, args=group) for group in groups.items()]
for process in processes:
    process.start()
for process in processes:
    process.join()
sys.exit(any(process.exitcode for process in processes))
