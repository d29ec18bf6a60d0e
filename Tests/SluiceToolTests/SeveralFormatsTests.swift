import Foundation
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

#if SLUICE_SQLITE
  import SluiceSQLite
#endif

final class SeveralFormatsTests: CommandTestCase {
  private func account(_ said: String) throws -> Account {
    let line = try XCTUnwrap(said.split(separator: "\n").first { $0.hasPrefix("{\"version\"") }, said)
    return try JSONDecoder().decode(Account.self, from: Data(line.utf8))
  }

  private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  /// A reader that goes away is the end of its output alone.
  func testOneOutputWhoseReaderGoesEndsAlone() throws {
    let said = try runShell(
      "mkfifo p; head -2 p > head & \"$SLUICE\" record timer:1ms --count 2000 -o p -o a.csv --stats json")
    XCTAssertEqual(try rows("a.csv").count, 2_001)
    XCTAssertEqual(try rows("head").count, 2)
    let account = try account(said)
    XCTAssertEqual([account.received, account.written, account.unaccounted], [2_000, 2_000, 0])
    XCTAssertEqual(account.outputs.map(\.output), ["p", "a.csv"])
    XCTAssertEqual(account.outputs[0].ended, "its reader has gone")
    XCTAssertNil(account.outputs[0].error)
    XCTAssertEqual(account.errors, [])
    XCTAssertNotNil(account.outputs[0].since)
    XCTAssertEqual(account.outputs[0].written + account.outputs[0].unwritten, 2_000)
    XCTAssertLessThan(account.outputs[0].written, 2_000)
    XCTAssertNil(account.outputs[1].error)
    XCTAssertTrue(said.contains("sluice: p ends here: its reader has gone; the other outputs go on\n"), said)
    XCTAssertEqual(said.components(separatedBy: "its reader has gone").count, 3, "said once, and once in the account")
  }

  func testTheFormatIsThatOfTheName() throws {
    for (options, first) in [
      ("-o t.csv", "time_ns,"), ("-o t.jsonl", "{\"time_ns\":"), ("-o t.ndjson", "{\"time_ns\":"),
      ("-o t.txt --format jsonl", "{\"time_ns\":"), ("-o t.log", "time_ns,"),
    ] {
      try run("record timer:1ms --count 2 \(options) --force")
      XCTAssertTrue(try XCTUnwrap(rows(String(options.split(separator: " ")[1])).first).hasPrefix(first), options)
    }
    try run("record timer:1ms sim:meter --count 3 -o d/ --format jsonl")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").filter { !$0.contains("metadata") }.sorted(),
      ["meter.jsonl", "timer_1ms.jsonl"])
    let noted = try run("record timer:1ms --count 1 -o t.json")
    XCTAssertTrue(noted.contains("t.json is written as CSV, because no format has the ending .json"), noted)
    for (line, sentence) in [
      ("record timer:1ms -o new.vcd --append", "nothing can be appended to a file of the format vcd"),
      ("record timer:1ms -o x --format cvs", "there is no format \"cvs\"; the formats are csv, jsonl"),
      ("record timer:1ms -o x.jsonl --layout wide", "--layout is for CSV, and no output is CSV; leave it out"),
    ] {
      let said = try run(line, status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertFalse(files.contains("x"))
  }

  func testWhatIsNoTraceIsSaid() throws {
    try Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]).write(to: URL(fileURLWithPath: "\(folder)/a.png"))
    let said = try run("replay a.png -o t.csv", status: 1)
    XCTAssertTrue(
      said.contains(
        #"cannot read a.png: it begins with "\x89PNG\x0d\x0a\x1a\x0a\x00", as no known trace does; give one of these: "#
      ),
      said)
    XCTAssertTrue(said.contains("JSON Lines"), said)
    XCTAssertEqual(files, ["a.png"])
  }

  /// A stream that shows late, or has no channel, is in the account all the same.
  func testReadingsWithoutValuesAreCounted() throws {
    let lines = #"{"time_ns":1,"stream":"a","values":{}}\n{"time_ns":2,"stream":"b","values":{"x":1}}\n"#
    for (format, written, unwritten) in [("jsonl", 2, 0), ("csv", 1, 1)] {
      let said = try runShell("printf '\(lines)' | \"$SLUICE\" replay - -o out --force --format \(format) --stats json")
      let account = try account(said)
      XCTAssertEqual(
        [account.received, account.written, account.unwritten, account.unaccounted], [2, written, unwritten, 0])
    }
  }

  /// The first survey of a trace tells nobody of each stream, and a reading waits for no blank line.
  func testManyStreamsAreReadInTime() throws {
    let lines = (0..<20_000).map { #"{"time_ns":\#($0),"stream":"s\#($0)","values":{"x":1}}"# }
    try write("many.jsonl", lines.joined(separator: "\n") + "\n")
    try run("replay many.jsonl -o out.jsonl")
    XCTAssertEqual(try rows("out.jsonl"), lines)
  }

  func testFlagsAreCountedOnce() throws {
    try write(
      "a.jsonl",
      (0..<1_500).map { #"{"time_ns":\#($0),"stream":"a","values":{"x":1},"flags":["gap_before"]}"# + "\n" }.joined())
    for (from, to) in [("a.jsonl", "b.jsonl"), ("b.jsonl", "c.jsonl"), ("c.jsonl", "d.csv"), ("d.csv", "e.csv")] {
      try run("replay \(from) -o \(to)")
      let metadata = try rows("\(to)-metadata.json").joined()
      XCTAssertTrue(
        metadata.contains(#""sluice:stream": "a",      "sluice:count": 1500"#), "\(to): \(metadata.prefix(4_000))")
    }
  }

  func testAnAppendGoesOnInJSONLines() throws {
    for count in [3, 4] { try run("record sim:meter@100,seed=5 --count \(count) -o t.jsonl --append") }
    XCTAssertEqual(try rows("t.jsonl").count, 7)
    try run("replay t.jsonl -o t.csv")
    XCTAssertEqual(try rows("t.csv").count, 8)
  }

  #if SLUICE_SQLITE
    /// The same readings, read by our own decoders.
    func testTheSameInAllFormats() throws {
      try recordInAllFormats()
      for name in ["t.csv", "t.jsonl", "t.db", "t.mcap"] { try run("replay \(name) --layout long -o \(name).csv") }
      XCTAssertEqual(try rows("t.jsonl.csv"), try rows("t.csv"))
      XCTAssertEqual(try rows("t.db.csv"), try rows("t.csv"))
      XCTAssertEqual(try rows("t.mcap.csv"), try rows("t.csv"))
      XCTAssertGreaterThan(try rows("t.csv").count, 5_000)
    }

    /// From CSV to MCAP, to a database, and back: the same bytes.
    func testTheSameBytesAfterAllFormats() throws {
      for (seed, layout) in [(1, "long"), (2, "wide"), (3, "long")] {
        let second = layout == "wide" ? "" : "sim:meter@50,seed=\(seed)"
        try run("record sim:imu@500,seed=\(seed),gaps=5 \(second) --count 1500 -o a.csv --layout \(layout) --force")
        for encoding in [",encoding=json", ""] {
          try run("convert a.csv -o b.mcap\(encoding) --force")
          try run("convert b.mcap -o c.db --force")
          try run("convert c.db -o d.csv --layout \(layout) --force")
          XCTAssertEqual(try rows("d.csv"), try rows("a.csv"), "\(seed) \(layout) \(encoding)")
          XCTAssertEqual(try runShell("cmp a.csv d.csv && echo same"), "same\n", "\(seed) \(layout) \(encoding)")
        }
      }
    }

    private func recordInAllFormats() throws {
      try run(
        "record sim:imu@500,seed=3,gaps=5 sim:meter@50,seed=4 --count 2000 -o t.csv -o t.jsonl -o t.db -o t.mcap --layout long"
      )
    }

    /// `make test-formats` has Python, and says so.
    func testOthersReadTheSame() throws {
      let isRequired = ProcessInfo.processInfo.environment["SLUICE_PYTHON"] != nil
      let hasPython = try runShell("command -v python3 || true") != ""
      try XCTSkipUnless(hasPython || isRequired, "python3 is not here; make test-formats installs it")
      try recordInAllFormats()
      XCTAssertEqual(try runShell(Self.python), "2000 readings are the same\n")
    }

    /// With nothing of ours: Python's csv, json and sqlite3.
    private static let python = """
      python3 - <<'END'
      import csv, json, sqlite3
      a, b, c = {}, {}, {}
      for row in csv.DictReader(open("t.csv")):
          a.setdefault((row["stream"], int(row["time_ns"])), {})[row["channel"]] = float(row["value"])
      for line in open("t.jsonl"):
          row = json.loads(line)
          b[row["stream"], row["time_ns"]] = row["values"]
      db = sqlite3.connect("t.db")
      for stream, table in db.execute("SELECT name, table_name FROM sluice_streams").fetchall():
          rows = db.execute(f'SELECT * FROM "{table}"')
          names = [column[0] for column in rows.description]
          for row in rows.fetchall():
              row = dict(zip(names, row))
              c[stream, row["time_ns"]] = {k: v for k, v in row.items() if k not in ("id", "time_ns", "flags")}
      assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
      assert a == b == c, "they are not"
      print(len(a), "readings are the same")
      END
      """

    /// The library of MCAP reads what is written, with all checksums: `pip install mcap mcap-ros2-support`. Without it this is
    /// skipped; SLUICE_MCAP_PYTHON names a Python that has it.
    func testTheLibraryOfMCAPReadsTheSame() throws {
      let python = ProcessInfo.processInfo.environment["SLUICE_MCAP_PYTHON"] ?? "python3"
      let hasLibrary = try runShell("\(python) -c 'import mcap, mcap_ros2' 2>/dev/null && echo yes || true") != ""
      try XCTSkipUnless(hasLibrary, "Python has no mcap and mcap-ros2-support here")
      for seed in 1...20 {
        let encoding = ["", ",encoding=json", ",encoding=cdr"][seed % 3]
        try run(
          "record sim:imu@2000,seed=\(seed),gaps=5 sim:meter@500,seed=\(seed) --count 300 -o t.csv -o t.mcap\(encoding) "
            + "--layout long --force")
        XCTAssertEqual(try runShell(Self.mcap(python)), "300 readings are the same\n", "seed \(seed)")
      }
      XCTAssertEqual(
        try runShell("export SLUICE; \(python) - <<'END'\n\(Self.randomStreams)\nEND"), "100 seeds are the same\n")
    }

    /// Random streams: names of any letters, values of up to 18 digits and missing ones, times to the nanosecond. Values, times
    /// and sequences are those that were written, also after a repair of a file whose end is gone.
    private static let randomStreams = #"""
      import csv, io, json, os, random, subprocess
      from decimal import Decimal
      from mcap.reader import make_reader
      from mcap_ros2.decoder import DecoderFactory

      def text(draw):
          if draw.random() < 0.05:
              return ""
          digits = draw.choice([1, 3, 6, 9, 15, 15, 16, 18])
          sign = draw.choice(["", "-"])
          whole = str(draw.randrange(10 ** digits))
          point = draw.randrange(0, 6)
          if point == 0:
              return sign + whole if whole != "0" else "0"
          whole = whole.zfill(point + 1)
          return sign + whole[:-point] + "." + whole[-point:]

      def run(*words):
          done = subprocess.run([os.environ["SLUICE"], *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
          assert done.returncode == 0, done.stdout.decode()

      for seed in range(100):
          draw = random.Random(seed)
          streams = {}
          for number in range(draw.randrange(1, 5)):
              name = "".join(draw.choice("abzAZ09_äß µ温") for _ in range(draw.randrange(1, 8))) + str(number)
              streams[name.strip()] = [f"c{index}" + draw.choice(["", "_x", "é"]) for index in range(draw.randrange(1, 7))]
          expected = {name: [] for name in streams}
          moment = draw.choice([0, 1_700_000_000_000_000_000])
          with open("in.csv", "w", newline="") as file:
              writer = csv.writer(file, lineterminator="\n")
              writer.writerow(["time_ns", "stream", "channel", "value"])
              for _ in range(draw.randrange(1, 400)):
                  moment += draw.choice([1, 1000, 10**6, 10**9]) * draw.randrange(1, 50)
                  name = draw.choice(list(streams))
                  values = [text(draw) for _ in streams[name]]
                  # A reading without any value is no reading.
                  if not any(values):
                      values[0] = "1"
                  for channel, value in zip(streams[name], values):
                      writer.writerow([moment, name, channel, value])
                  expected[name].append((moment, values))
          encoding = draw.choice(["", ",encoding=json", ",encoding=cdr"])
          run("convert", "in.csv", "--force", "-q", "-o", f"t.mcap{encoding}")
          if draw.random() < 0.3:
              whole = open("t.mcap", "rb").read()
              open("t.mcap", "wb").write(whole[:-draw.randrange(1, 40)])
              run("repair", "t.mcap")
          found, last, decoder = {}, {}, DecoderFactory()
          with open("t.mcap", "rb") as file:
              reader = make_reader(file, validate_crcs=True)
              summary = reader.get_summary()
              for schema, channel, message in reader.iter_messages(log_time_order=False):
                  if channel.topic.startswith("/sluice/"):
                      continue
                  name = channel.metadata["stream"]
                  if channel.message_encoding == "json":
                      values = [None if v is None else v for k, v in json.loads(message.data, parse_float=Decimal, parse_int=Decimal).items()
                                if k not in ("stamp", "flags")]
                  else:
                      ros = decoder.decoder_for("cdr", schema)(message.data)
                      values = [getattr(ros, k) for k in ros.__slots__ if k not in ("stamp", "flags")]
                      values = [None if v != v else v for v in values]
                  assert message.sequence == last.get(name, 0) + 1, (seed, name, message.sequence, last)
                  last[name] = message.sequence
                  found.setdefault(name, []).append((message.log_time, values, channel.message_encoding))
              assert summary.statistics.message_count == sum(len(one) for one in found.values()), seed
          for name, rows in expected.items():
              assert len(rows) == len(found.get(name, [])), (seed, name)
              for (moment, texts), (time, values, kind) in zip(rows, found.get(name, [])):
                  assert moment == time and len(texts) == len(values), (seed, name, moment, time)
                  for value, own in zip(texts, values):
                      if value == "":
                          assert own is None, (seed, name, value, own)
                      elif kind == "json":
                          assert own == Decimal(value), (seed, name, value, own)
                      else:
                          # Without a choice of the encoding, a number that is not exact is JSON.
                          assert own == float(value), (seed, name, value, own)
                          assert encoding or Decimal(value) == Decimal(repr(own)), (value, own)
      print("100 seeds are the same")
      """#

    private static func mcap(_ python: String) -> String {
      """
      \(python) - <<'END'
      import csv, json
      from mcap.reader import make_reader
      from mcap_ros2.decoder import DecoderFactory
      a, b, last = {}, {}, {}
      for row in csv.DictReader(open("t.csv")):
          name = "".join(c if c.isalnum() else "_" for c in row["channel"].lower())
          topic = "/" + row["stream"].replace(" ", "_").replace(".", "_")
          a.setdefault((topic, int(row["time_ns"])), {})[name] = float(row["value"])
      reader = make_reader(open("t.mcap", "rb"), validate_crcs=True)
      summary = reader.get_summary()
      decoder = DecoderFactory()
      gaps = 0
      for schema, channel, message in reader.iter_messages(log_time_order=False):
          if channel.topic.startswith("/sluice/"):
              continue
          if channel.message_encoding == "json":
              values = json.loads(message.data)
          else:
              ros = decoder.decoder_for("cdr", schema)(message.data)
              values = {name: getattr(ros, name) for name in ros.__slots__}
          stamp, flags = values.pop("stamp"), values.pop("flags")
          if channel.message_encoding == "cdr":
              stamp = {"sec": stamp.sec, "nanosec": stamp.nanosec}
          assert stamp["sec"] * 10**9 + stamp["nanosec"] == message.log_time == message.publish_time
          step = message.sequence - last.get(channel.topic, 0)
          assert step == (2 if flags & 1 else 1), (message.sequence, last, flags)
          gaps += step == 2
          last[channel.topic] = message.sequence
          b[channel.topic, message.log_time] = values
      assert a == b, "they are not"
      assert summary.statistics.message_count - len(b) <= 2
      assert any(m.name == "sluice" and json.loads(m.metadata["document"]) for m in reader.iter_metadata())
      print(len(b), "readings are the same")
      END
      """
    }

    /// It is tried again, and what came meanwhile is written.
    func testADatabaseThatIsLockedForAWhileLosesNothing() throws {
      let started = try startShell("exec \"$SLUICE\" record timer:1ms -o t.db -o t.csv --stats json 2>said")
      func hasSaid(_ words: String) -> Bool { (try? rows("said"))?.contains { $0.contains(words) } ?? false }
      waitUntil("a row") { (try? rows("t.csv").count) ?? 0 > 100 }
      let other = try SQLiteDatabase(path: "\(folder)/t.db", mode: .writing, timeout: 5_000)
      try other.execute("BEGIN IMMEDIATE")
      waitUntil("it has given up once") { hasSaid("it is tried again") }
      try other.execute("ROLLBACK")
      other.close()
      waitUntil("it goes on") { hasSaid("t.db is written again") }
      started.process.interrupt()
      let status = end(started).status
      let text = try rows("said").joined(separator: "\n")
      XCTAssertEqual(status, 0, text)
      XCTAssertTrue(text.contains("cannot write t.db: another program has locked it"), text)
      let account = try account(text)
      XCTAssertEqual(account.outputs.map(\.written), [account.received, account.received])
      try run("replay t.db -o back.csv")
      XCTAssertEqual(try rows("back.csv").count, account.received + 1)
    }

    /// Whole up to a commit, and readable as it is.
    func testAKilledRecordingIsWholeUpToACommit() throws {
      let (process, _) = try start("record timer:1ms -o t.db -o t.csv -q")
      waitUntil("rows") { (try? rows("t.csv").count) ?? 0 > 700 }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let said = try run("replay t.db -o back.csv")
      XCTAssertTrue(said.contains("the recording was cut off"), said)
      let ticks = try rows("back.csv").dropFirst().map { $0.split(separator: ",")[1] }
      XCTAssertGreaterThan(ticks.count, 100)
      let written = try rows("t.csv").dropFirst().map { $0.split(separator: ",")[1] }
      XCTAssertEqual(Array(ticks), Array(written.prefix(ticks.count)), "from the first on, none missing")
      // It goes on in the same file.
      try run("record timer:1ms --count 5 -o t.db --append")
      try run("replay t.db -o back.csv --force")
      XCTAssertEqual(try rows("back.csv").count, ticks.count + 6)
    }

    func testWhatIsNoRecordingIsNotWrittenTo() throws {
      try write("text.db", "mine\n")
      try runShell("\"$SLUICE\" record timer:1ms --count 1 -o ours.db -q")
      let other = try SQLiteDatabase(path: "\(folder)/ours.db", mode: .writing)
      try other.execute("BEGIN IMMEDIATE")
      for (line, sentence) in [
        ("-o text.db --append", "cannot read text.db: it is not a database"),
        ("-o text.db", "cannot write text.db: file exists"),
        ("-o ours.db", "cannot write ours.db: file exists"),
        ("-o ours.db --append", "another program has locked it"),
        ("-o ours.db --force", "cannot overwrite ours.db: another program has locked it"),
        ("-o - --format sqlite", "sqlite cannot be written to a pipe"),
      ] {
        let said = try run("record timer:1ms --count 1 \(line)", status: 1)
        XCTAssertTrue(said.contains(sentence), "\(line): \(said)")
      }
      try other.execute("ROLLBACK; DROP TABLE sluice_streams")
      other.close()
      let said = try run("replay ours.db -o x.csv", status: 1)
      XCTAssertTrue(said.contains("cannot read ours.db: "), said)
      try runShell("cat ours.db | \"$SLUICE\" replay - -o x.csv", status: 1)
      XCTAssertEqual(try rows("text.db"), ["mine"])
      XCTAssertEqual(files, ["ours.db", "text.db"])
    }
  #endif
}
