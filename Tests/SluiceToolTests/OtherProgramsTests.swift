import Foundation
import TestFiles
import XCTest

@testable import SluiceTool

/// What other programs read, and what librsvg draws. These tests are not in `make test`, because not every machine has the
/// programs. `make test-formats` installs Python and librsvg; without LibreOffice or Python's mcap, their tests are skipped.
final class OtherProgramsTests: CommandTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    let isWanted = ProcessInfo.processInfo.environment["SLUICE_OTHER_PROGRAMS"] != nil
    try XCTSkipUnless(isWanted, "make test-formats runs it")
  }

  private func writeWalk() throws {
    try write("walk.csv", "time_ns,x (g)\n" + (0..<100).map { "\($0 * 10_000_000),\($0 % 7)\n" }.joined())
  }

  /// The width and the height, from the first chunk of a PNG.
  private func size(_ name: String) throws -> [UInt32] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    XCTAssertEqual(Array(bytes.prefix(8)), [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    XCTAssertEqual(Array(bytes[12..<16]), Array("IHDR".utf8))
    return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
  }

  func testAPNG() throws {
    try writeWalk()
    let said = try run("plot walk.csv -o walk.png")
    XCTAssertEqual(try size("walk.png")[0], 960, said)
    try run("plot walk.csv -o small.png --size 500x300")
    XCTAssertEqual(try size("small.png"), [500, 300])
    try run("plot walk.csv -o print.PNG --size 500x300 --dpi 288")
    XCTAssertEqual(try size("print.PNG"), [1_500, 900])
    try run("plot walk.csv -o dark.png --size 500x300 --theme dark")
    let pictures = try ["small", "dark"].map { try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0).png")) }
    XCTAssertNotEqual(pictures[0], pictures[1])
    for command in ["--histogram x", "--xy x,x"] {
      try run("plot walk.csv \(command) -o other.png --size 400x400")
      XCTAssertEqual(try size("other.png"), [400, 400], command)
    }
    try run("plot walk.csv -o walk.pdf --size 400x300")
    let pdf = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/walk.pdf")))
    XCTAssertEqual(Array(pdf.prefix(5)), Array("%PDF-".utf8))
    XCTAssertEqual(Array(pdf.suffix(6)), Array("%%EOF\n".utf8))
    // What cannot be drawn leaves the file as it was.
    let large = try run("plot walk.csv -o small.png --size 4000x3000 --dpi 1200", status: 1)
    XCTAssertTrue(large.contains("cannot draw small.png: it would have more than 32,767 pixels"), large)
    XCTAssertEqual(try size("small.png"), [500, 300])
  }

  #if SLUICE_ARCHIVE
    func testPythonReadsCompressedFiles() throws {
      try run("record sim:imu@5000,seed=7 --count 5000 -o t.csv -o t.csv.gz")
      let same = "import gzip; print(gzip.open('t.csv.gz').read() == open('t.csv', 'rb').read())"
      XCTAssertEqual(try runShell("python3 -c \"\(same)\""), "True\n")
    }
  #endif

  /// The very commands of the page open what `--excel` writes: times are times, numbers are numbers.
  func testTheCommandsForLibreOffice() throws {
    let hasOffice = try runShell("command -v soffice && command -v python3 || true").contains("python3")
    try XCTSkipUnless(hasOffice, "soffice and python3 are not here")
    let page = try String(contentsOf: Checkout.file("docs/Convert.md"), encoding: .utf8)
    let commands = page.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.hasPrefix("soffice ")
    }
    XCTAssertEqual(commands.count, 2)
    try run("record imu=sim:imu@400,seed=3 --count 50 -o in.csv")
    for (command, language) in zip(commands, ["en", "de"]) {
      let name = try XCTUnwrap(command.split(separator: " ").last?.split(separator: ".").first)
      try run("convert in.csv --excel=\(language) -o \(name).csv --force")
      try runShell("HOME=$PWD \(command)")
      XCTAssertEqual(try runShell(Self.comparison(String(name))), "50 rows are the same\n", command)
    }
  }

  /// The cells of the workbook, by Python's own zipfile, against the rows of the recording.
  private static func comparison(_ name: String) -> String {
    """
    python3 - <<'END'
    import csv, re, zipfile
    book = zipfile.ZipFile("\(name).xlsx")
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    count = 0
    rows = list(csv.reader(open("in.csv")))[1:]
    cells = [re.findall(r'<c ([^>]*)><v>(.*?)</v>', row) for row in re.findall(r"<row.*?</row>", sheet)][1:]
    assert len(rows) == len(cells), (len(rows), len(cells))
    for row, found in zip(rows, cells):
        assert not any('t="s"' in kind for kind, _ in found), found
        # Days since 1899-12-30, to the millisecond.
        assert abs((float(found[0][1]) - 25569) * 86400 - int(row[0]) / 1e9) < 0.0011, (row, found)
        assert all(abs(float(a) - float(b[1])) <= 1e-12 for a, b in zip(row[1:], found[1:])), (row, found)
        count += 1
    print(count, "rows are the same")
    END
    """
  }

  #if SLUICE_SQLITE
    func testPythonReadsTheSameInAllFormats() throws {
      try run(
        "record sim:imu@5000,seed=3,gaps=5 sim:meter@500,seed=4 --count 2000 -o t.csv -o t.jsonl -o t.db -o t.mcap --layout long"
      )
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
  #endif

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
}
