import Foundation
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// The parts of a recording are one trace.
final class PartsTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private let said = Said()

  /// What the reader warned of.
  private final class Said: @unchecked Sendable {
    // One thread reads a trace.
    var sentences: [String] = []
  }

  private static let imu = """
    {"sluice:name": "imu", "sluice:channels": [{"sluice:name": "x", "sluice:unit": "g"}, {"sluice:name": "y"}]}
    """

  private func name(_ number: Int, _ stem: String = "walk", _ ending: String = "csv") -> String {
    PartName(stem: stem, number: number, time: 1_795_272_907_000_000_000 + Int64(number), ending: ending).text
  }

  private func path(_ number: Int, _ stem: String = "walk", _ ending: String = "csv") -> String {
    "\(folder.path)/\(name(number, stem, ending))"
  }

  private func metadata(_ titles: [String], _ streams: String, _ members: String) -> String {
    let columns = titles.map { "{\"titles\": \"\($0)\"}" }.joined(separator: ", ")
    return "{\"tableSchema\": {\"columns\": [\(columns)]}, \"sluice:streams\": [\(streams)], \(members)}"
  }

  /// A part of the wide layout with the stream `imu`.
  private func part(
    _ number: Int, _ rows: String, _ members: String = "\"sluice:state\": \"finished\"", streams: String = imu
  ) {
    _ = folder.file(name(number), "time_ns,imu.x,imu.y\n" + rows)
    _ = folder.file(
      name(number) + "-metadata.json",
      metadata(
        ["time_ns", "imu.x", "imu.y"], streams,
        members.contains("sluice:values") ? members : "\"sluice:values\": \"scaled\", \(members)"))
  }

  private func reader(_ name: String? = nil) throws -> TraceReader {
    try TraceReader(path: name.map { "\(folder.path)/\($0)" } ?? folder.path) { [said] in said.sentences.append($0) }
  }

  private func rows(_ trace: TraceReader, block: Int = 512) throws -> [String] {
    var rows: [String] = []
    var readings = Array(repeating: Reading.empty, count: block)
    while case let count = try trace.next(into: &readings), count > 0 {
      rows += readings[..<count].map {
        "\($0.time) \($0.stream.index) \($0.values.map(\.description).joined(separator: "|"))"
          + ($0.flags.contains(.gapBefore) ? " gap" : "")
      }
    }
    return rows
  }

  // MARK: Order

  func testPartsAreReadInTheOrderOfTheirNumbers() throws {
    // By their names the last one would be the first, and the clock was behind when it began.
    part(1_000_000, "4,7,8\n")
    part(999_998, "9,1,2\n10,3,4\n")
    part(999_999, "")
    _ = folder.file("walk.csv-parts.jsonl", "{\"sluice:last\": 1000000}")
    for block in [1, 512] {
      let trace = try reader()
      XCTAssertEqual(trace.streams.map(\.name), ["imu"])
      XCTAssertEqual(trace.streams[0].channels[0].unit, "g")
      XCTAssertEqual(trace.layout, .none, "a folder has none")
      XCTAssertFalse(trace.mayWait)
      XCTAssertEqual(try rows(trace, block: block), ["9 0 1|2", "10 0 3|4", "4 0 7|8"])
    }
    XCTAssertEqual(said.sentences, [], "the oldest parts may have been removed")
  }

  func testTheNameOfTheRecordingStandsForItsParts() throws {
    part(1, "1,1,2\n")
    part(2, "2,3,4\n")
    part(3, "5,5,5\n")
    _ = folder.file(name(1, "other"), "time_ns,v\n9,9\n")
    let trace = try reader("walk.csv")
    XCTAssertEqual(trace.layout, .wide)
    XCTAssertEqual(try rows(trace), ["1 0 1|2", "2 0 3|4", "5 0 5|5"])
    XCTAssertEqual(error { _ = try reader("run.csv") }?.code, .notFound)
    XCTAssertEqual(try rows(try reader(name(2))), ["2 0 3|4"], "a part is a file like any other")
    XCTAssertEqual(said.sentences, [])
    XCTAssertEqual(try reader(name(1, "other")).streams.map(\.name), ["other"])
  }

  /// The names are those in the folder of the file, wherever the reader is.
  func testAFileOfTheSameNameComesFirst() throws {
    part(1, "1,1,2\n")
    part(2, "2,1,2\n")
    _ = folder.file("walk.csv", "time_ns,imu.x,imu.y\n7,8,9\n")
    XCTAssertEqual(try rows(try reader()), ["7 0 8|9", "1 0 1|2", "2 0 1|2"])
    XCTAssertEqual(said.sentences, [])
    XCTAssertEqual(try rows(try reader("walk.csv")), ["7 0 8|9"])
    XCTAssertEqual(
      said.sentences,
      [
        "\(folder.path)/walk.csv: it is read alone, without the 2 parts of this name beside it "
          + "(\(name(1)) and so on); give the folder to read all"
      ])
  }

  func testSeriesAndFilesOfAFolderAreMergedByTime() throws {
    part(1, "1,1,1\n5,2,2\n")
    part(2, "9,3,3\n")
    _ = folder.file(name(7, "left"), "time_ns,v\n2,1\n8,2\n")
    _ = folder.file(name(8, "left"), "time_ns,v\n8,3\n10,4\n")
    _ = folder.file("plain.csv", "time_ns,v\n3,1\n9,2\n")
    let trace = try reader()
    XCTAssertEqual(trace.streams.map(\.name), ["left", "plain", "imu"])
    XCTAssertEqual(
      try rows(trace),
      ["1 2 1|1", "2 0 1", "3 1 1", "5 2 2|2", "8 0 2", "8 0 3", "9 1 2", "9 2 3|3", "10 0 4"])
  }

  func testPartsThatAreMissingAreSaid() throws {
    for number in [3, 5, 6, 9, 14] { part(number, "\(number),1,1\n", "\"sluice:losses_shown\": \"all\"") }
    let trace = try reader()
    XCTAssertEqual(
      said.sentences,
      ["\(folder.path)/walk.csv: parts 4, 7, 8, 10 to 13 are missing, and nobody knows what they had"])
    XCTAssertEqual(try rows(trace).count, 5)
    XCTAssertNil(trace.metadata?.lossesShown)
    let loss = try XCTUnwrap(trace.metadata?.losses?.first)
    XCTAssertEqual(loss.reason, TraceMetadata.missingParts)
    XCTAssertEqual(loss.count, 7)
    XCTAssertFalse(loss.countsReadings)
    XCTAssertTrue(loss.isUncounted)
    XCTAssertEqual(trace.metadata?.missed, 0)
  }

  func testTwoPartsOfOneNumberAreRefused() throws {
    part(1, "1,1,1\n")
    _ = folder.file("walk.000001.20270101T000000Z.csv", "time_ns,imu.x,imu.y\n")
    XCTAssertEqual(
      error { _ = try reader() }?.description,
      "cannot read \(folder.path)/walk.000001.20270101T000000Z.csv: \(name(1)) has the same number; "
        + "move away the one that does not belong to the recording")
  }

  // MARK: What does not fit

  private func misfit(_ path: String, _ cause: String, line: UInt = #line) {
    XCTAssertEqual(
      error { _ = try rows(try reader()) }?.description,
      "cannot read \(path): \(cause); give it alone, or move it out of the folder", line: line)
  }

  func testAPartThatDoesNotFitIsRefusedBeforeTheFirstRow() throws {
    part(1, "1,1,1\n")
    let first = path(1)
    part(2, "2,1,1\n", streams: Self.imu.replacingOccurrences(of: "\"g\"", with: "\"m/s^2\""))
    misfit(path(2), "channel \"x\" of \"imu\" has the unit m/s^2, and g in \(first)")
    part(2, "2,1,1\n", streams: "")
    misfit(path(2), "it has no stream \"imu\", and \(first) has one")
    part(2, "2,1,1\n", "\"sluice:values\": \"raw\"")
    misfit(path(2), "stream \"imu\" is raw, and scaled in \(first)")
    part(2, "2,1,1\n")
    XCTAssertEqual(try rows(try reader()).count, 2)
  }

  /// A run may have other streams than the one before it.
  func testAPartWithOtherStreamsByItsMetadata() throws {
    part(1, "1,1,2\n")
    _ = folder.file(name(2), "time_ns,imu.x,imu.z\n2,3,4\n")
    let imu = Self.imu.replacingOccurrences(of: "\"y\"", with: "\"z\"")
    let beside = name(2) + "-metadata.json"
    _ = folder.file(beside, metadata(["time_ns", "imu.x", "imu.z"], imu, "\"sluice:values\": \"scaled\""))
    XCTAssertEqual(try rows(try reader()), ["1 0 1|2|", "2 0 3||4"])
    XCTAssertEqual(try reader().streams.map { $0.channels.map(\.name) }, [["x", "y", "z"]])
    // Without metadata nothing says that it belongs to the recording.
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(beside)")
    XCTAssertNotNil(error { _ = try rows(try reader()) })
  }

  /// The meaning of raw values is in the metadata alone.
  func testScalesOfRawValuesHaveToBeTheSame() throws {
    func imu(_ scale: String) -> String {
      Self.imu.replacingOccurrences(of: "\"g\"", with: "\"g\", \"sluice:scale\": \(scale)")
    }
    for values in ["raw", "scaled"] {
      part(1, "1,1,1\n", "\"sluice:values\": \"\(values)\"", streams: imu("0.5"))
      part(2, "2,1,1\n", "\"sluice:values\": \"\(values)\"", streams: imu("0.25"))
      if values == "raw" {
        misfit(path(2), "channel \"x\" of \"imu\" has the scale 0.25 and the offset 0, and 0.5 and 0 in \(path(1))")
      } else {
        XCTAssertEqual(try rows(try reader()).count, 2)
      }
    }
  }

  func testAPartOfAnotherLayoutIsRefused() throws {
    part(1, "1,1,1\n")
    _ = folder.file(name(2), "time_ns,stream,channel,value\n1,imu,x,2\n")
    misfit(path(2), "its format or layout is another than that of \(path(1))")
  }

  func testAnErrorNamesThePart() throws {
    part(1, "1,1,1\n")
    part(2, "2,1,oops\n")
    part(3, "3,1,1\n")
    let trace = try reader()
    XCTAssertEqual(try trace.next()?.time, 1)
    for _ in 0..<2 { XCTAssertEqual(error { _ = try trace.next() }?.object, path(2)) }
  }

  /// As a recording that goes on may remove its oldest parts.
  func testAPartThatHasGoneIsAnError() throws {
    for number in 1...3 { part(number, "\(number),1,1\n") }
    let trace = try reader()
    try FileManager.default.removeItem(atPath: path(2))
    XCTAssertEqual(try trace.next()?.time, 1)
    for _ in 0..<2 {
      let error = error { _ = try trace.next() }
      XCTAssertEqual(error?.object, path(2))
      XCTAssertEqual(error?.code, .notFound)
    }
  }

  // MARK: Rows that name their streams

  func testPartsOfTheLongLayoutMayHaveOtherStreams() throws {
    let header = "time_ns,stream,channel,value\n"
    func stream(_ name: String, _ channels: String...) -> String {
      let channels = channels.map { "{\"sluice:name\": \"\($0)\"}" }.joined(separator: ", ")
      return "{\"sluice:name\": \"\(name)\", \"sluice:channels\": [\(channels)]}"
    }
    func part(_ number: Int, _ rows: String, _ streams: String...) {
      _ = folder.file(name(number), header + rows)
      _ = folder.file(
        name(number) + "-metadata.json",
        metadata(
          ["time_ns", "stream", "channel", "value"], streams.joined(separator: ", "), "\"sluice:version\": \"1\""))
    }
    part(1, "1,a,u,1\n1,a,v,2\n", stream("a", "u", "v"))
    part(2, "2,b,u,3\n3,a,v,4\n", stream("b", "u"), stream("a", "v"))
    _ = folder.file(name(3), header + "4,a,v,5\n4,a,w,6\n5,c,u,7\n")
    let trace = try reader()
    XCTAssertEqual(
      trace.streams.map { [$0.name] + $0.channels.map(\.name) }, [["a", "u", "v", "w"], ["b", "u"], ["c", "u"]])
    XCTAssertFalse(trace.isGrowing)
    XCTAssertEqual(
      try rows(trace), ["1 0 1|2|", "2 1 3", "3 0 |4|", "4 0 |5|6", "5 2 7"])
    XCTAssertEqual(try reader("walk.csv").layout, .long)
  }

  func testJSONLines() throws {
    func line(_ time: Int, _ stream: String, _ values: String) -> String {
      "{\"time_ns\":\(time),\"stream\":\"\(stream)\",\"values\":{\(values)},\"flags\":[\"gap_before\"]}\n"
    }
    _ = folder.file(name(1, "walk", "jsonl"), line(1, "a", "\"x\":1"))
    _ = folder.file(name(2, "walk", "jsonl"), line(2, "b", "\"x\":2") + line(3, "a", "\"x\":3"))
    _ = folder.file("walk.jsonl-parts.jsonl", "{}")
    let trace = try reader("walk.jsonl")
    XCTAssertTrue(trace.hasFlags)
    XCTAssertEqual(try rows(trace), ["1 0 1 gap", "2 1 2 gap", "3 0 3 gap"])
  }

  func testValueChangeDumps() throws {
    for (number, time) in [(1, 1_000), (2, 500)] as [(Int64, Int64)] {
      var stream = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y")])
      stream.isScaled = true
      let encoder = VCDEncoder(EncoderStreams([stream]))
      let text =
        String(decoding: encoder.header, as: UTF8.self)
        + encoder.text([reading(time, 0, [number, 2]), reading(time + 7, 0, [number, 3])])
      _ = folder.file(name(Int(number), "walk", "vcd"), text)
    }
    XCTAssertEqual(
      try rows(try reader("walk.vcd")), ["1000 0 1|2", "1007 0 1|3", "500 0 2|2", "507 0 2|3"])
  }

  // MARK: Metadata

  func testWhatIsKnownOfThePartsIsAddedUp() throws {
    func members(_ time: Int) -> String {
      """
      "sluice:state": "finished", "sluice:losses_shown": "\(time == 1 ? "all" : "some")",
      "sluice:losses": [{"sluice:streams": ["imu"], "sluice:reason": "lost", "sluice:count": 7, "sluice:first_ns": \(time), "sluice:last_ns": \(time)}],
      "sluice:ledger": [{"sluice:stream": "imu", "sluice:received": 6, "sluice:written": 2, "sluice:dropped": 4}],
      "sluice:pauses": [{"sluice:from_ns": 4\(time == 1 ? "" : ", \"sluice:to_ns\": 6")}],
      "sluice:gap_before": [{"sluice:stream": "imu", "sluice:count": 3, "sluice:times_ns": [\(time)]}]
      """
    }
    part(1, "1,1,1\n2,1,1\n", members(1))
    part(2, "8,1,1\n9,1,1\n", members(8))
    // Also in a folder that has something else, where what several files say counts once.
    _ = folder.file("z.csv", "time_ns,v\n3,1\n")
    _ = folder.file(
      "z.csv-metadata.json",
      metadata(
        ["time_ns", "v"], "{\"sluice:name\": \"z\", \"sluice:channels\": [{\"sluice:name\": \"v\"}]}",
        "\"sluice:state\": \"finished\", \"sluice:losses_shown\": \"all\", \"sluice:values\": \"scaled\""))
    for path in [nil, "walk.csv"] {
      let trace = try reader(path)
      let metadata = try XCTUnwrap(trace.metadata)
      XCTAssertEqual(metadata.missed, 22)
      XCTAssertEqual(metadata.losses?.map(\.count), [14])
      XCTAssertEqual(metadata.losses?[0].first, 1)
      XCTAssertEqual(metadata.losses?[0].last, 8)
      XCTAssertEqual(metadata.ledger?.map(\.written), [4])
      XCTAssertEqual(metadata.ledger?.map(\.received), [12])
      XCTAssertEqual(metadata.pauses, [.init(from: 4, to: 6)])
      XCTAssertEqual(metadata.gapBefore, [.init(stream: "imu", count: 6, times: [1, 8])])
      XCTAssertEqual(metadata.lossesShown, .some(.some))
      XCTAssertEqual(metadata.state, .finished)
      XCTAssertEqual(metadata.values, .scaled)
      XCTAssertFalse(metadata.isCutOff)
      XCTAssertEqual(try rows(trace).filter { $0.hasSuffix("gap") }, ["1 0 1|1 gap", "8 0 1|1 gap"])
    }
  }

  /// A run was killed, and the next one began a new part.
  func testATornRowIsLeftOutOfItsPart() throws {
    part(1, "1,1,1\n2,1,", "\"sluice:state\": \"unfinished\", \"sluice:losses_shown\": \"all\"")
    part(2, "3,1,1\n", "\"sluice:state\": \"finished\", \"sluice:losses_shown\": \"all\"")
    let trace = try reader("walk.csv")
    XCTAssertEqual(try rows(trace), ["1 0 1|1", "3 0 1|1"])
    XCTAssertEqual(
      said.sentences,
      ["\(path(1)): its last row has no line end and is left out, because the recording was cut off there"])
    XCTAssertEqual(trace.metadata?.state, .finished)
    XCTAssertEqual(trace.metadata?.isCutOff, true)
    part(2, "3,1,1\n", "\"sluice:state\": \"unfinished\"")
    XCTAssertEqual(try reader().metadata?.state, .unfinished)
  }

  /// What a power cut leaves of a part that had just begun.
  func testAPartWithoutAWholeLineIsLeftOut() throws {
    let unfinished = "\"sluice:state\": \"unfinished\""
    for (number, text) in [(1, ""), (2, "time_ns,im"), (4, String(repeating: "\0", count: 4_096))] {
      part(number, "", unfinished)
      _ = folder.file(name(number), text)
    }
    part(3, "1,1,1\n")
    part(5, "2,1,1\n")
    let trace = try reader("walk.csv")
    XCTAssertEqual(
      said.sentences, [1, 2, 4].map { "\(path($0)): it has no whole line and is left out" })
    XCTAssertEqual(try rows(trace), ["1 0 1|1", "2 0 1|1"])
    XCTAssertEqual(trace.metadata?.isCutOff, true)
    for number in [3, 5] { try FileManager.default.removeItem(atPath: path(number)) }
    XCTAssertEqual(error { _ = try reader("walk.csv") }?.cause, "none of its parts has a whole line")
  }

  func testOfAPartWithoutMetadataNothingIsKnownButItsColumns() throws {
    let members = "\"sluice:state\": \"finished\", \"sluice:losses_shown\": \"all\""
    for number in 1...3 { part(number, "\(number),1,1\n", members) }
    for number in 1...3 {
      let hidden = try Data(contentsOf: URL(fileURLWithPath: path(number) + "-metadata.json"))
      try FileManager.default.removeItem(atPath: path(number) + "-metadata.json")
      let trace = try reader("walk.csv")
      XCTAssertEqual(trace.streams.map { $0.channels.map(\.unit) }, [["g", nil]])
      XCTAssertEqual(try rows(trace).count, 3)
      XCTAssertNil(trace.metadata?.lossesShown)
      XCTAssertNil(trace.metadata?.values)
      XCTAssertEqual(trace.metadata?.hasUndescribedRows, true)
      try hidden.write(to: URL(fileURLWithPath: path(number) + "-metadata.json"))
    }
    XCTAssertEqual(try reader("walk.csv").metadata?.hasUndescribedRows, false)
  }

  func testItsInputsAreAllFilesThatAreRead() throws {
    part(1, "1,1,1\n")
    part(2, "2,1,1\n")
    let inputs = try reader("walk.csv").inputs
    XCTAssertEqual(
      inputs.map(\.path), [path(1), path(1) + "-metadata.json", path(2), path(2) + "-metadata.json"])
    for input in inputs { XCTAssertEqual(input.identity, FileIdentity(path: input.path)) }
  }

  func testManyParts() throws {
    for number in 1...1_000 { part(number, (0..<10).map { "\(number * 10 + $0),1,1\n" }.joined()) }
    let trace = try reader()
    var time: Int64 = 10
    while let reading = try trace.next() {
      XCTAssertEqual(reading.time, time)
      time += 1
    }
    XCTAssertEqual(time, 10_010)
  }
}
