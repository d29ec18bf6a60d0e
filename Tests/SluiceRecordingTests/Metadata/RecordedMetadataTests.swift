import Foundation
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// What is read from the metadata of this version and of earlier ones stays the same. `Fixtures/documents/read.txt` has
/// what the documents said when they were added.
final class RecordedMetadataTests: XCTestCase {
  private let fixtures = Checkout.file("Tests/SluiceRecordingTests/Fixtures")

  func testDocumentsAreReadAsBefore() throws {
    let known = try String(contentsOf: fixtures.appendingPathComponent("documents/read.txt"), encoding: .utf8)
    let read = try (documents().map { "== \($0)\n\(Self.text(of: $1))" } + merged()).joined(separator: "\n") + "\n"
    let (old, new) = (known.split(separator: "\n"), read.split(separator: "\n"))
    for (line, (old, new)) in zip(old, new).enumerated() where old != new {
      return XCTFail("line \(line + 1) of read.txt: \(old), and now \(new)")
    }
    XCTAssertEqual(old.count, new.count)
  }

  /// The type that reads a document writes it, with every byte.
  func testDocumentsAreWrittenAsTheyWere() throws {
    let folder = fixtures.appendingPathComponent("documents")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    // That of a later version has members that this one does not know.
    let known = paths.filter { $0.hasSuffix(MetadataFile.suffix) && !$0.hasPrefix("later") }
    XCTAssertGreaterThan(known.count, 20)
    for path in known {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      XCTAssertEqual(try MetadataDocument(Array(text.utf8), path: path).text, text, path)
    }
  }

  /// The metadata files and the lines of the runs files, by their names.
  private func documents() throws -> [(String, TraceMetadata)] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: fixtures.path).sorted()
    return try paths.flatMap { path -> [(String, TraceMetadata)] in
      let bytes = fixtures.appendingPathComponent(path)
      if path.hasSuffix(MetadataFile.suffix) { return [(path, try metadata(Data(contentsOf: bytes)))] }
      guard path.hasSuffix(RunsFile.suffix) else { return [] }
      return try Data(contentsOf: bytes).split(separator: UInt8(ascii: "\n")).enumerated().map {
        ("\(path) \($0 + 1)", try metadata($1))
      }
    }
  }

  private func metadata(_ bytes: some Sequence<UInt8>) throws -> TraceMetadata {
    try TraceMetadata(Array(bytes), path: "a path")
  }

  /// Several documents as one, and one with corrected times.
  private func merged() throws -> [String] {
    let documents = try documents()
    func all(_ prefix: String) -> [TraceMetadata] {
      documents.filter { $0.0.hasPrefix("documents/\(prefix)") }.map(\.1)
    }
    let runs = all("appended.csv-runs")
    let newest = try XCTUnwrap(all("appended.csv-metadata").first)
    var parts = PartsMetadata(.recorded)
    for part in all("parts.") { _ = parts.add(part) }
    let whole = try XCTUnwrap(parts.whole(missing: 2))
    let clock = try XCTUnwrap(all("clock").first)
    let merged = [
      ("the runs of appended.csv", TraceMetadata(newest: newest, earlier: runs)), ("the parts of parts.csv", whole),
      ("clock.csv, corrected", clock.timed(.corrected)),
      ("a folder", try XCTUnwrap(TraceMetadata(merging: all("folder") + all("held") + all("paused")))),
    ]
    return merged.map { "== \($0)\n\(Self.text(of: $1))" }
  }

  // MARK: Text

  /// One line per fact. It does not depend on the names of the types.
  private static func text(of metadata: TraceMetadata) -> String {
    var lines: [String] = []
    func add(_ name: String, _ value: (some Any)?) { if let value { lines.append("\(name) \(value)") } }
    add("titles", metadata.titles)
    add("format", metadata.format)
    add("version", metadata.version)
    add("state", metadata.state)
    add("time", metadata.time)
    add("time zero", metadata.timeZero)
    add("decimals", metadata.decimals)
    add("values", metadata.values)
    for stream in metadata.streams ?? [] {
      add("stream \(stream.name) scaled \(stream.isScaled) foreign", stream.hasForeignColumns)
      if let device = stream.device {
        add("  device", [device.path, device.bus, device.label, device.name].map { $0 ?? "-" })
      }
      for channel in stream.channels {
        let facts = [channel.name, channel.unit ?? "-", channel.format ?? "-"]
        add("  channel", facts + [channel.scale.description, channel.offset.description])
      }
    }
    for loss in metadata.losses ?? [] {
      add("loss", [loss.streams.description, loss.reason, "\(loss.count)", "readings \(loss.countsReadings)"])
      add("  uncounted \(loss.isUncounted) times", [loss.first, loss.last].map { $0 ?? -1 })
    }
    add("losses", metadata.losses?.count)
    add("losses shown", metadata.lossesShown)
    for (name, list) in [
      ("gap before", metadata.gapBefore), ("initial level", metadata.initialLevel), ("late", metadata.late),
    ] {
      add(name, list.map { list in list.map { "\($0.stream) \($0.count) \($0.times)" } })
    }
    for account in metadata.ledger ?? [] {
      add("account", account.stream)
      add("  received \(account.received) written", account.written)
      add("  dropped \(account.dropped) suppressed \(account.suppressed) used \(account.used) made", account.made)
      add("  discarded \(account.discarded) unwritten", account.unwritten)
      add("  leaves out", account.leavesOut)
    }
    add("accounts", metadata.ledger?.count)
    add("pauses", metadata.pauses?.map { "\($0.from) \($0.to.map { "\($0)" } ?? "-")" })
    if let trace = metadata.trace { add("trace", [trace.file ?? "-", trace.state.map { "\($0)" } ?? "-"]) }
    add("earlier runs", metadata.earlierRuns)
    add("errors", metadata.errors)
    add("began", metadata.began)
    add("began at byte", metadata.beganAtByte)
    add(
      "unfinished run \(metadata.hasUnfinishedRun) undescribed \(metadata.hasUndescribedRows) cut off",
      metadata.isCutOff)
    if let repair = metadata.repaired { add("repaired", [repair.time, repair.bytes]) }
    for run in metadata.runs {
      add("run", run.written.map { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } } ?? [])
      guard let clocks = run.clocks else { continue }
      add("  clocks", [clocks.began, clocks.ended, clocks.offset].map { $0.map { "\($0)" } ?? "-" })
      add("  synchronised", clocks.isSynchronised)
      for change in clocks.changes {
        add("  change", ["\(change.cause)", "\(change.time)", "\(change.offset)", "\(change.suspended ?? -1)"])
      }
    }
    for restart in metadata.restarts {
      add("restart", [restart.ended ?? -1, restart.began, "\(restart.streams)"] as [Any])
    }
    for total in metadata.totals {
      add("total", [total.stream, "at least \(total.isAtLeast)", "goes on \(total.goesOn)"])
      for (channel, value) in total.values.sorted(by: { $0.key < $1.key }) { add("  \(channel)", value) }
    }
    add("missed", metadata.missed)
    return lines.joined(separator: "\n")
  }
}
