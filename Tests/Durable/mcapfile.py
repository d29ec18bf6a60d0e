"""The records of an MCAP file, without its library, and whether its index finds all of them."""

import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"
CHANNEL, MESSAGE_INDEX, CHUNK, CHUNK_INDEX, STATISTICS, METADATA, METADATA_INDEX = 4, 7, 6, 8, 11, 12, 13
DATA_END, FOOTER = 15, 2


class Malformed(Exception):
    pass


def records(data, start, end):
    """Kind, offset and contents of each record."""
    offset = start
    while offset < end:
        if offset + 9 > end:
            raise Malformed(f"a record at byte {offset} is torn")
        kind, length = struct.unpack_from("<BQ", data, offset)
        if offset + 9 + length > end:
            raise Malformed(f"the record at byte {offset} is longer than the file")
        yield kind, offset, data[offset + 9:offset + 9 + length]
        offset += 9 + length


def text(contents, offset):
    length, = struct.unpack_from("<I", contents, offset)
    return contents[offset + 4:offset + 4 + length].decode(), offset + 4 + length


def counts(indexes):
    """By channel, the number of messages in the indexes behind a chunk."""
    return {channel: size // 16 for channel, size in (struct.unpack_from("<HI", one) for one in indexes)}


def chunks(data):
    """Of a whole file, the offset and the bytes of each chunk, and the indexes behind it."""
    found = []
    for kind, offset, contents in records(data, len(MAGIC), len(data) - len(MAGIC)):
        if kind == CHUNK:
            found.append((offset, data[offset:offset + 9 + len(contents)], []))
        elif kind == MESSAGE_INDEX:
            found[-1][2].append(contents)
        elif kind == DATA_END:
            return found
    return found


def faults(path):
    """What is wrong with a file whose last run came to its end."""
    with open(path, "rb") as file:
        data = file.read()
    said = []
    try:
        if data[:8] != MAGIC or data[-8:] != MAGIC:
            return [f"{path} has no magic bytes"]
        footer = len(data) - 8 - 29
        kind, length, start, offsets, crc = struct.unpack_from("<BQQQI", data, footer)
        if kind != FOOTER or length != 20:
            return [f"{path} has no footer"]
        if crc and zlib.crc32(data[start:footer + 25]) != crc:
            said.append("the checksum of the summary is wrong")
        end = start - 13
        kind, length, crc = struct.unpack_from("<BQI", data, end)
        if kind != DATA_END:
            return said + ["the data does not end before the summary"]
        if crc and zlib.crc32(data[:end]) != crc:
            said.append("the checksum of the data is wrong")
        there = {"chunks": {}, "metadata": set(), "indexes": {}}
        total, last = {}, None
        for kind, offset, contents in records(data, 8, end):
            if kind == CHUNK:
                last = offset
                there["chunks"][offset] = [9 + len(contents), {}]
            elif kind == MESSAGE_INDEX:
                channel, size = struct.unpack_from("<HI", contents)
                there["chunks"][last][1][channel] = offset
                total[channel] = total.get(channel, 0) + size // 16
            elif kind == METADATA:
                there["metadata"].add((offset, 9 + len(contents)))
        found = {"chunks": {}, "metadata": set()}
        for kind, offset, contents in records(data, start, footer):
            if kind == CHUNK_INDEX:
                _, _, at, length, size = struct.unpack_from("<QQQQI", contents)
                places = dict(struct.iter_unpack("<HQ", contents[36:36 + size]))
                found["chunks"][at] = [length, places]
            elif kind == METADATA_INDEX:
                found["metadata"].add(struct.unpack_from("<QQ", contents))
            elif kind == STATISTICS:
                messages, _, _, _, _, number = struct.unpack_from("<QHIIII", contents)
                if messages != sum(total.values()) or number != len(there["chunks"]):
                    said.append(f"the statistics have {messages} messages in {number} chunks")
        if found["chunks"] != there["chunks"]:
            said.append(f"the summary has {len(found['chunks'])} chunks, and the data {len(there['chunks'])}")
        if found["metadata"] != there["metadata"]:
            said.append("the summary has other metadata than the data")
    except (Malformed, struct.error, KeyError, UnicodeDecodeError) as error:
        said.append(f"it is malformed: {error}")
    return said
