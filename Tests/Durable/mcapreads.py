"""Reads a file with pip's mcap, with all checksums: the numbers of each topic grow, and the summary counts all messages.

mcapreads.py FILE, with a Python that has mcap, mcap-ros2-support and zstandard."""

import sys

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory

last, count = {}, 0
with open(sys.argv[1], "rb") as file:
    reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
    summary = reader.get_summary()
    for schema, channel, message in reader.iter_messages(log_time_order=False):
        count += 1
        before = last.get(channel.topic, 0)
        assert message.sequence > before, f"{channel.topic}: {message.sequence} after {before}"
        last[channel.topic] = message.sequence
    assert summary.statistics.message_count == count, f"{count} messages, and {summary.statistics.message_count} in the summary"
    assert len(list(reader.iter_metadata())) > 0
print(count, "messages", last)
