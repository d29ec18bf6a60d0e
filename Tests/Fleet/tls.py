"""TLS: whose certificate is taken, and what is said of others. tls.py SLUICE FOLDER"""

import os
import pathlib
import ssl
import subprocess
import sys
import time

from server import Lines

sluice, work = sys.argv[1], pathlib.Path(sys.argv[2])
environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower() and "SLUICE" not in name}


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=work)


def authority(name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")


def certificate(name, subject, days=2, signer="ca"):
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={subject}")
    (work / "ext").write_text(f"subjectAltName=DNS:{subject}\n" if not subject[0].isdigit() else f"subjectAltName=IP:{subject}\n")
    openssl(
        "x509", "-req", "-in", f"{name}.csr", "-CA", f"{signer}.pem", "-CAkey", f"{signer}.key", "-CAcreateserial", "-days", days,
        "-extfile", "ext", "-out", f"{name}.pem")


def server(name, asks=False, oldest=ssl.TLSVersion.TLSv1_2, newest=ssl.TLSVersion.MAXIMUM_SUPPORTED):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version, context.maximum_version = oldest, newest
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(work / f"{name}.pem", work / f"{name}.key")
    if asks:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(work / "ca.pem")
    made = Lines()
    made.socket = context.wrap_socket(made.socket, server_side=True, do_handshake_on_connect=False)
    return made


def run(made, *settings):
    """What is said within the two seconds that a recording waits at its end for a server, and what has arrived."""
    command = [sluice, "record", "sim:meter", "--count", "2", "-o", made.url().replace("http:", "https:")]
    for setting in settings:
        command += ["--server", setting]
    done = subprocess.run(
        command + ["--spool", str(work / "spool")], capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stderr, len(made.points)


authority("ca"), authority("other")
certificate("right", "127.0.0.1"), certificate("name", "db.example"), certificate("board", "board")
certificate("old", "127.0.0.1", days=0)
time.sleep(2)
ca = f"ca={work}/ca.pem"

said, count = run(server("right"), ca)
assert count == 2, said
for name, settings, words in [
    ("right", [], "no authority that this board knows"), ("right", [f"ca={work}/other.pem"], "no authority that this board knows"),
    ("name", [ca], "is for another name than 127.0.0.1"), ("old", [ca], "has expired"),
    ("right", [f"ca={work}/none.pem"], "the file of --server ca= cannot be used"),
]:
    said, count = run(server(name), *settings)
    assert words in said and count == 0, (name, settings, said)
print("TLS: an unknown authority, another name and an expired certificate are refused, each with its sentence", flush=True)

said, count = run(server("right", asks=True), ca)
assert count == 0, said
said, count = run(server("right", asks=True), ca, f"cert={work}/board.pem", f"key={work}/board.key")
assert count == 2, said
print("TLS: the board shows its certificate", flush=True)

said, count = run(server("right", oldest=ssl.TLSVersion.TLSv1, newest=ssl.TLSVersion.TLSv1_1), ca)
assert count == 0 and "TLS" in said, said
print("TLS: 1.1 is refused", flush=True)
