"""Reads files of InfluxDB's line protocol and compares them with the readings that they should have.

A question is a line of JSON on standard input: the paths of the files, and the readings. The answer is a line: "ok", or
what is wrong. The grammar is that of https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/: it knows
nothing of sluice.
"""

import gzip
import json
import sys
from decimal import Decimal


def name(text, start, ends, special):
    """The name that begins at start, and where it ends. A backslash escapes only what is special there."""
    found, index = "", start
    while text[index] not in ends:
        if text[index] == "\\" and text[index + 1] in special:
            index += 1
        found += text[index]
        index += 1
    return found, index


def value(text, start):
    """The kind of a field, its value, and where it ends."""
    if text[start] == '"':
        found, end = name(text, start + 1, '"', '"\\')
        return "text", found, end + 1
    end = min(place for place in (text.find(",", start), text.find(" ", start)) if place >= 0)
    if text[end - 1] == "i":
        return "integer", Decimal(int(text[start : end - 1])), end
    return "float", Decimal(text[start:end]), end


def reading(line):
    measurement, end = name(line, 0, ", ", ", ")
    tags = []
    while line[end] == ",":
        key, end = name(line, end + 1, "=", ",= ")
        content, end = name(line, end + 1, ", ", ",= ")
        tags.append((key, content))
    fields = []
    while True:
        key, end = name(line, end + 1, "=", ",= ")
        kind, content, end = value(line, end + 1)
        fields.append((key, kind, content))
        if line[end] == " ":
            break
    time = int(line[end + 1 :])
    if not -(2**63) <= time < 2**63:
        raise ValueError("the time in %r does not fit" % line)
    return measurement, tags, fields, time


def lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        text = file.read().decode("utf-8")
    if text and not text.endswith("\n"):
        raise ValueError("%s ends within a line" % path)
    return text.split("\n")[:-1]


def readings(path, runs):
    """A database keeps one of two lines of the same measurement, tags and time. So a line with the time of the one before it
    has a tag with its ordinal. Each run counts them anew. A time that comes back later is the trace's own."""
    last, begun = {}, {}
    for line in lines(path):
        measurement, tags, fields, time = reading(line)
        others = [tag for tag in tags if tag[0] != "n"]
        ordinal = int(dict(tags).get("n", 0))
        series = measurement, tuple(others)
        if last.get(series) == (time, ordinal - 1):
            pass
        elif ordinal:
            raise ValueError("%s: the ordinal of the point %s is %d after %s" % (path, (series, time), ordinal, last.get(series)))
        elif last.get(series, (None, 0))[0] == time:
            begun[series] = begun.get(series, 1) + 1
            if begun[series] > runs:
                raise ValueError("%s has two lines of the point %s" % (path, (series, time)))
        last[series] = time, ordinal
        yield measurement, others, fields, time


def answer(question):
    found = [entry for path in question["paths"] for entry in readings(path, question["runs"])]
    tags = [tuple(tag) for tag in question["tags"]]
    wanted = [
        (entry["measurement"], tags, [(n, k, v if k == "text" else Decimal(v)) for n, k, v in entry["fields"]], int(entry["time"]))
        for entry in question["readings"]
    ]
    if question["by_measurement"]:
        found, wanted = (sorted(readings, key=lambda entry: entry[0]) for readings in (found, wanted))
    if found == wanted:
        return "ok"
    for number, (is_there, should_be) in enumerate(zip(found, wanted), 1):
        if is_there != should_be:
            return "line %d is %s, and not %s" % (number, is_there, should_be)
    return "%d lines, and not %d" % (len(found), len(wanted))


if __name__ == "__main__":
    for question in sys.stdin:
        try:
            print(answer(json.loads(question)).replace("\n", " "), flush=True)
        except (ValueError, OSError, IndexError, ArithmeticError) as error:
            print(("%s: %s" % (type(error).__name__, error)).replace("\n", " "), flush=True)
