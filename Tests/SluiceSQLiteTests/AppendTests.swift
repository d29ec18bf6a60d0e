import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class AppendTests: SQLiteTestCase {
  func testStreamsGoOnWhateverTheirNumbers() throws {
    let path = try record([reading(1, 0, [1]), reading(2, 1, [2])], [stream("a", "v"), stream("b", "v")])
    try record(
      [reading(3, 0, [3]), reading(4, 1, [4]), reading(5, 2, [5, 6])],
      [stream("b", "v"), stream("c", "v"), stream("a", "w", "v")],
      appends: true, to: path)
    let trace = try SQLiteTrace(path: path)
    XCTAssertEqual(trace.streams.map(\.name), ["a", "b", "c"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["v", "w"])
    let (missing, one) = (ExactDecimal.missing, { (value: Int64) in ExactDecimal(significand: value) })
    let read = try trace.readAll()
    XCTAssertEqual(read.map(\.stream.index), [0, 1, 1, 2, 0])
    XCTAssertEqual(
      read.map { Array($0.values) }, [[one(1), missing], [one(2)], [one(3)], [one(4)], [one(6), one(5)]])
    XCTAssertEqual(try query(path, "SELECT id FROM a"), ["1", "5"])
  }

  func testAnEmptyFile() throws {
    let path = try record([reading(1, 0, [1])], [stream("a", "v")], appends: true)
    XCTAssertEqual(try readAll(path).count, 1)
  }

  func testStreamsAndChannelsThatComeLater() throws {
    let recording = try SQLiteRecording(path: file(), streams: [stream("a", "v")], raw: false, appends: false)
    try recording.write([reading(1, 0, [1])])
    try recording.add(streams: [stream("a", "v", "w"), stream("b", "x")])
    try recording.write([reading(2, 0, [2, 3]), reading(3, 1, [4])])
    try recording.commit()
    try recording.add(streams: [stream("a", "v", "w"), stream("b", "x"), stream("A", "x")])
    try recording.write([reading(4, 2, [5], flags: .late)])
    try recording.close()
    let trace = try SQLiteTrace(path: recording.path)
    XCTAssertEqual(trace.streams.map(\.name), ["a", "b", "A"])
    let read = try trace.readAll()
    XCTAssertEqual(read.map(\.time), [1, 2, 3, 4])
    XCTAssertEqual(read.map { $0.values.map(\.description) }, [["1", ""], ["2", "3"], ["4"], ["5"]])
    XCTAssertEqual(read.last?.flags, .late)
  }

  func testCommittedSurvivesAChannelThatComes() throws {
    let recording = try SQLiteRecording(path: file(), streams: [stream("a", "v")], raw: false, appends: false)
    try recording.write([reading(1, 0, [1])])
    try recording.commit()
    try recording.write([reading(1, 0, [1])])
    try recording.add(streams: [stream("a", "v", "w")])
    XCTAssertEqual(recording.committed, [1])
    try recording.commit()
    XCTAssertEqual(recording.committed, [2])
  }

  func testWhatWouldMeanSomethingElse() throws {
    func with(_ unit: String? = "V", _ scale: String = "0.5", _ offset: String = "0") throws -> StreamDescription {
      StreamDescription(
        name: "s", channels: [.init(name: "v", unit: unit, scale: try decimal(scale), offset: try decimal(offset))])
    }
    let raw = try record([reading(1, 0, [1])], [with()], raw: true, to: file("raw.db"))
    let scaled = try record([reading(1, 0, [1])], [with()], to: file("scaled.db"))
    let cases = try [
      (raw, with(), false, "has raw values there, and scaled ones now"),
      (scaled, with(), true, "has scaled values there, and raw ones now"),
      (raw, with("mV"), true, "has V there, and mV now"),
      (scaled, with(nil), false, "has V there, and no unit now"),
      (raw, with("V", "0.25"), true, "has another scale or offset there"),
      (raw, with("V", "0.5", "1"), true, "has another scale or offset there"),
    ]
    for (path, description, isRaw, difference) in cases {
      let refused = error { try record([], [description, stream("new")], raw: isRaw, appends: true, to: path) }
      XCTAssertEqual(
        refused?.description, "cannot append to \(path): \"v\" of \"s\" \(difference); write to another file")
      XCTAssertEqual(try SQLiteTrace(path: path).streams.count, 1)
    }
    // Scaled values mean the same whatever they were scaled by.
    try record([reading(2, 0, [1])], [with("V", "0.25")], appends: true, to: scaled)
    XCTAssertEqual(try query(scaled, "SELECT v FROM s"), ["0.5", "0.25"])
    // Where there is nothing to scale, raw values are scaled ones.
    let plain = try record([reading(1, 0, [1])], [stream("p", "v")], raw: true, to: file("plain.db"))
    try record([reading(2, 0, [1])], [stream("p", "v")], appends: true, to: plain)
    XCTAssertEqual(try readAll(plain).count, 2)
  }

  func testWhatIsThereIsLeftAlone() throws {
    let path = try record([reading(1, 0, [1])], [stream("s", "v")])
    let refused = error { try record([], [stream("s", "v")], to: path) }
    XCTAssertEqual(refused?.description, "cannot write \(path): there is something in it; choose another name")
    XCTAssertEqual(refused?.code, .alreadyExists)
    XCTAssertEqual(try readAll(path).count, 1)
  }

  func testOwnTablesColumnsAndTriggersOfTheReader() throws {
    let path = try record([reading(1, 0, [1])], [stream("s", "v")])
    try execute(
      path,
      """
      CREATE TABLE late (x); CREATE VIEW v AS SELECT * FROM s; CREATE INDEX i ON s (time_ns);
      ALTER TABLE s ADD COLUMN w; UPDATE s SET w = 'mine';
      CREATE TRIGGER t BEFORE INSERT ON s BEGIN SELECT raise(ABORT, 'no'); END
      """)
    try record(
      [reading(2, 0, [2, 3]), reading(3, 1, [4])], [stream("s", "v", "w"), stream("late", "x")], appends: true, to: path
    )
    XCTAssertEqual(try readAll(path).map { $0.values.map(\.description) }, [["1", ""], ["2", "3"], ["4"]])
    XCTAssertEqual(try query(path, "SELECT v, w, w_2 FROM s"), ["1|mine|NULL", "2|NULL|3"])
    XCTAssertEqual(try query(path, "SELECT x FROM late_2"), ["4"])
  }

  /// A stream that somebody removed leaves its number free.
  func testARemovedStream() throws {
    let path = try record(
      [reading(1, 0, [1]), reading(2, 1, [2]), reading(3, 2, [3])],
      [stream("a", "v"), stream("b", "v"), stream("c", "v")])
    try execute(path, "DROP TABLE b; DELETE FROM sluice_streams WHERE name = 'b'")
    XCTAssertEqual(try readAll(path).map(\.stream.index), [0, 1])
    try record([reading(4, 0, [4])], [stream("b", "v")], appends: true, to: path)
    XCTAssertEqual(try SQLiteTrace(path: path).streams.map(\.name), ["a", "c", "b"])
    XCTAssertEqual(try readAll(path).map(\.time), [1, 3, 4])
  }

  func testLimits() throws {
    let wide = StreamDescription(name: "s", channels: (0..<65).map { .init(name: "c\($0)") })
    XCTAssertEqual(
      error { try record([], [wide]) }?.cause, "\"s\" would have 65 channels and 64 is the limit")
    var most = wide
    most.channels.removeLast()
    let path = try record([], [most], to: file("most.db"))
    XCTAssertEqual(
      error { try record([], [stream("s", "other")], appends: true, to: path) }?.cause,
      "\"s\" would have 65 channels and 64 is the limit")
    let last = try record([], [stream("s", "v")], to: file("last.db"))
    try execute(last, "UPDATE sluice_streams SET stream = 16383; UPDATE sluice_channels SET stream = 16383")
    XCTAssertEqual(
      error { try record([], [stream("t", "v")], appends: true, to: last) }?.cause,
      "it would have more than 16384 streams")
  }
}
