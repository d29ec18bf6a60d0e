"""What viewers cost a recording: viewers.py SLUICE FOLDER SECONDS

It records 10,000 readings per second without viewers, with 20 that ask as the page does, and with one that stops reading.
"""

import asyncio
import json
import math
import os
import signal
import struct
import subprocess
import sys
import time

import websockets

from recorder import Recorder

SLUICE, FOLDER, SECONDS = sys.argv[1], sys.argv[2], float(sys.argv[3])


def check(said):
    """A busy machine may lose readings in the FIFO of the device, with viewers or without; the pipeline drops none."""
    assert "dropped" not in said and "UNACCOUNTED" not in said, said
    if "nothing lost" not in said:
        print("  " + said.strip().splitlines()[-1])


def arguments(name):
    return ["record", "sim:imu@10000", "-o", os.path.join(FOLDER, name + ".csv"), "--force"]


async def view(url, seconds, counts):
    """Asks as the page does for the last minute on 1,300 pixels: for a frame, and beside it for the state."""
    async with websockets.connect(url.replace("http", "ws") + "/ws", subprotocols=["sluice.page.v1"], max_size=None) as line:
        power, generation, newest, begin = math.ceil(math.log2(60e9 / 1300)), "-", None, None

        async def ask(wait, what):
            await asyncio.sleep(wait)
            await line.send(what())

        def frame():
            return f"frame 1 {begin} {newest + 15_000_000_000} {power} {generation} 0"

        await line.send("state describe")
        asks, end = set(), time.monotonic() + seconds
        while time.monotonic() < end:
            answer = await line.recv()
            counts.append(len(answer))
            if isinstance(answer, str):
                found = json.loads(answer)["range"]
                if newest is None and found:
                    newest, begin = int(found[1]), int(found[1]) - 60_000_000_000
                    asks.add(asyncio.ensure_future(ask(0, frame)))
                asks.add(asyncio.ensure_future(ask(0.7, lambda: "state")))
            else:
                length = struct.unpack_from("<I", answer)[0]
                header = json.loads(answer[4:4 + length])
                generation, newest = header["generation"], int(header["range"][1])
                begin = newest - 2 * 2**power - 50_000_000
                asks.add(asyncio.ensure_future(ask(60 / 1300 * 3, frame)))
        for task in asks:
            task.cancel()


async def cost(name, viewers, *more):
    recorder = Recorder(SLUICE, *arguments(name), "--http", "0", *more)
    await asyncio.sleep(2)
    before, counts = recorder.processor_seconds, []
    if viewers:
        await asyncio.gather(*[view(recorder.url, SECONDS, counts) for _ in range(viewers)])
    else:
        await asyncio.sleep(SECONDS)
    used, memory = recorder.processor_seconds - before, recorder.resident_megabytes
    said = recorder.end()
    check(said)
    print(f"{name}: {used / SECONDS * 100:.1f} % of a core, {memory:.1f} MB resident, {len(counts) / SECONDS:.0f} frames and "
          f"{sum(counts) / SECONDS / 1000:.0f} kB per second")
    return used, memory


def without():
    process = subprocess.Popen([SLUICE, *arguments("without")], stderr=subprocess.PIPE, text=True)
    recorder = Recorder.__new__(Recorder)
    recorder.process = process
    time.sleep(2)
    before = recorder.processor_seconds
    time.sleep(SECONDS)
    used, memory = recorder.processor_seconds - before, recorder.resident_megabytes
    said = recorder.end()
    check(said)
    print(f"without: {used / SECONDS * 100:.1f} % of a core, {memory:.1f} MB resident")
    return used, memory


async def stopped():
    """A viewer of Foxglove's protocol that stops reading: the memory stays, and it is told what it missed."""
    recorder = Recorder(SLUICE, *arguments("stopped"), "--http", "0")
    reader = (
        "import asyncio, json, websockets\n"
        "async def main():\n"
        f"  async with websockets.connect('{recorder.url.replace('http', 'ws')}/ws', subprotocols=['foxglove.sdk.v1'], max_size=None, max_queue=4) as line:\n"
        "    await line.send(json.dumps({'op': 'subscribe', 'subscriptions': [{'id': 1, 'channelId': 1}]}))\n"
        "    print('subscribed', flush=True)\n"
        "    async for data in line:\n"
        "      if isinstance(data, str) and 'not sent' in data: print(data, flush=True); return\n"
        "asyncio.run(main())\n")
    viewer = subprocess.Popen([sys.executable, "-c", reader], stdout=subprocess.PIPE, text=True)
    viewer.stdout.readline()
    await asyncio.sleep(2)
    viewer.send_signal(signal.SIGSTOP)
    await asyncio.sleep(5)
    before = recorder.resident_megabytes
    await asyncio.sleep(SECONDS)
    after = recorder.resident_megabytes
    viewer.send_signal(signal.SIGCONT)
    told = json.loads(await asyncio.get_event_loop().run_in_executor(None, viewer.stdout.readline))
    viewer.wait()
    said = recorder.end()
    check(said)
    print(f"stopped for {SECONDS:.0f} s: {before:.1f} MB before, {after:.1f} MB after; {told['message']}")
    # What is kept of the readings grows up to its bound; what waits for a viewer does not.
    return after - before


async def main():
    plain, _ = without()
    await cost("no-viewer", 0)
    twenty, _ = await cost("twenty-viewers", 20)
    print(f"20 viewers: {twenty / plain:.2f} times the processor time")
    await stopped()


asyncio.run(main())
