"""What viewers cost a recording: viewers.py SLUICE FOLDER SECONDS [ROUNDS]

It records 10,000 readings per second twice at the same time, because the programs of the viewers keep the machine busy
too: once without --http, and once with it, for no viewer and for 20 that ask as the page does. Then one stops reading.
"""

import asyncio
import json
import math
import os
import signal
import statistics
import struct
import subprocess
import sys
import time

import websockets

from recorder import Recorder

SLUICE, FOLDER, SECONDS = sys.argv[1], sys.argv[2], float(sys.argv[3])
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 1
RATE = 10_000


def check(said):
    """A busy machine may lose readings in the FIFO of the device, with viewers or without; the pipeline drops none."""
    assert "dropped" not in said and "UNACCOUNTED" not in said, said
    if "nothing lost" not in said:
        print("  " + said.strip().splitlines()[-1])


def arguments(name):
    return ["record", f"sim:imu@{RATE}", "-o", os.path.join(FOLDER, name + ".csv"), "--force"]


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


async def both(viewers):
    """The processor time of a recording with --http, divided by that of one without it at the same time."""
    plain = Recorder(SLUICE, *arguments("plain"))
    recorder = Recorder(SLUICE, *arguments("http"), "--http", "0")
    # Behind the begin.
    recorder.wait_for(2 * RATE)
    before, counts = (plain.processor_seconds, recorder.processor_seconds), []
    if viewers:
        await asyncio.gather(*[view(recorder.url, SECONDS, counts) for _ in range(viewers)])
    else:
        await asyncio.sleep(SECONDS)
    without, used = plain.processor_seconds - before[0], recorder.processor_seconds - before[1]
    memory = (plain.resident_megabytes, recorder.resident_megabytes)
    for said in (plain.end(), recorder.end()):
        check(said)
    print(f"{viewers} viewers: {used / SECONDS * 100:.1f} % of a core and {memory[1]:.1f} MB resident, without --http "
          f"{without / SECONDS * 100:.1f} % and {memory[0]:.1f} MB; {len(counts) / SECONDS:.0f} answers and "
          f"{sum(counts) / SECONDS / 1000:.0f} kB per second", flush=True)
    return used / without


async def stopped():
    """A viewer of Foxglove's protocol that stops reading: the memory stays, and it is told what it missed."""
    recorder = Recorder(SLUICE, *arguments("stopped"), "--http", "0")
    reader = (
        "import asyncio, json, websockets\n"
        "async def main():\n"
        f"  async with websockets.connect('{recorder.url.replace('http', 'ws')}/ws', subprotocols=['foxglove.sdk.v1'], max_size=None, max_queue=4) as line:\n"
        "    await line.send(json.dumps({'op': 'subscribe', 'subscriptions': [{'id': 1, 'channelId': 1}]}))\n"
        "    first = True\n"
        "    async for data in line:\n"
        "      if first and not isinstance(data, str): first = False; print('it reads', flush=True)\n"
        "      if isinstance(data, str) and 'not sent' in data: print(data, flush=True); return\n"
        "asyncio.run(main())\n")
    viewer = subprocess.Popen([sys.executable, "-c", reader], stdout=subprocess.PIPE, text=True)
    viewer.stdout.readline()
    viewer.send_signal(signal.SIGSTOP)
    # What is on the way to it, and what is kept of the readings, is as much as it will be.
    recorder.wait_for(40 * RATE)
    before = recorder.resident_megabytes
    recorder.wait_for(int(SECONDS) * RATE, seconds=SECONDS * 4 + 60)
    after = recorder.resident_megabytes
    viewer.send_signal(signal.SIGCONT)
    told = json.loads(await asyncio.get_event_loop().run_in_executor(None, viewer.stdout.readline))
    viewer.wait()
    check(recorder.end())
    print(f"stopped for {SECONDS:.0f} s: {before:.1f} MB before, {after:.1f} MB after; {told['message']}")


async def main():
    for viewers in (0, 20):
        ratios = [await both(viewers) for _ in range(ROUNDS)]
        print(f"{viewers} viewers: {statistics.median(ratios):.2f} times the processor time", flush=True)
    await stopped()


asyncio.run(main())
