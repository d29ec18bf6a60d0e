"""A recording in a process of its own, with its viewers' address."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.request


class Recorder:
    def __init__(self, sluice, *arguments, folder=None):
        self.process = subprocess.Popen([sluice, *arguments], stderr=subprocess.PIPE, text=True, cwd=folder)
        self.url = None
        if "--http" not in arguments:
            return
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"watch it at (http://\S+?)/?$", line.strip())
            if found:
                self.url = found.group(1)
                return
        raise AssertionError("it does not listen: " + "".join(said))

    @property
    def processor_seconds(self):
        """Of all its threads so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident_megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1000

    @property
    def received(self):
        """The readings so far."""
        with urllib.request.urlopen(self.url + "/status", timeout=10) as answer:
            return json.load(answer)["received"]

    def wait_for(self, readings, seconds=120):
        """Waits until it has so many readings more than now."""
        enough, end = self.received + readings, time.monotonic() + seconds
        while self.received < enough:
            if time.monotonic() > end:
                raise AssertionError(f"it has not had {readings} readings within {seconds} s")
            time.sleep(0.05)

    def end(self):
        """Ends it, and returns what it said at the end."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.stderr.read()
        self.process.wait()
        return said

    def kill(self):
        self.process.kill()
        self.process.wait()
