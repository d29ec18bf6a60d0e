"""What Foxglove's protocol sends, decoded, and compared with the file of the recording bit by bit.

foxglove.py URL SUBPROTOCOL FILE.csv SECONDS: the recording is a wide CSV file of one stream.
"""

import asyncio
import csv
import json
import struct
import sys
import time

import websockets


def decoded(schema, payload):
    """A message in CDR, by its ros2msg definition."""
    assert payload[:4] == b"\0\1\0\0", "little endian CDR"
    body, at, found = payload[4:], 0, {}
    for line in schema.split("=" * 80)[0].splitlines():
        line = line.split("#")[0].split()
        if not line:
            continue
        kinds = {"float64": "<d", "uint8": "<B", "builtin_interfaces/Time": "<iI"}[line[0]]
        size = {"<d": 8, "<B": 1, "<iI": 4}[kinds]
        at = (at + size - 1) // size * size
        values = struct.unpack_from(kinds, body, at)
        at += struct.calcsize(kinds)
        found[line[1]] = values if len(values) > 1 else values[0]
    assert at == len(body), "bytes behind the last field"
    return found


async def main(url, name, path, seconds):
    messages = []
    async with websockets.connect(url, subprotocols=[name], max_size=None) as line:
        assert line.subprotocol == name, line.subprotocol
        assert json.loads(await line.recv())["op"] == "serverInfo"
        channels = json.loads(await line.recv())["channels"]
        channel = channels[0]
        assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg")
        await line.send(json.dumps({"op": "subscribe", "subscriptions": [{"id": 5, "channelId": channel["id"]}]}))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            data = await asyncio.wait_for(line.recv(), 10)
            if isinstance(data, str):
                raise AssertionError(data)
            operation, subscription, at = struct.unpack_from("<BIQ", data)
            assert (operation, subscription) == (1, 5)
            messages.append((at, decoded(channel["schema"], data[13:])))
    # Until the rows are in the file.
    rows = {}
    end = time.monotonic() + 30
    while not rows or max(rows) <= messages[-1][0]:
        assert time.monotonic() < end, "the last reading is not in the file"
        await asyncio.sleep(0.1)
        with open(path) as file:
            rows = {int(row["time_ns"]): row for row in csv.DictReader(file) if None not in row.values()}
    assert len(messages) > 100, len(messages)
    for at, message in messages:
        seconds, nanoseconds = message.pop("stamp")
        assert seconds * 10**9 + nanoseconds == at
        message.pop("flags")
        row = rows[at]
        texts = [text for column, text in row.items() if column != "time_ns"]
        assert len(texts) == len(message)
        for text, value in zip(texts, message.values()):
            assert struct.pack("<d", float(text)) == struct.pack("<d", value), (at, text, value)
    print(f"{name}: {len(messages)} readings are those of {path}, bit by bit")


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])))
