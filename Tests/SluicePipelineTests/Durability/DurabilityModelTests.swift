import Foundation
import Sluice
import SluiceMCAP
import SluiceReadings
import SluiceStages
import TestDisk
import TestFiles
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// Random recordings on a disk that fails, fills, dies and forgets. No reading is lost without being counted, none is
/// written twice, and what was synced is there after a power cut.
///
/// `SLUICE_MODEL_STEPS` says how many steps, and `SLUICE_MODEL_SEED` begins with that seed.
final class DurabilityModelTests: XCTestCase {
  func testRandomRecordings() throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["SLUICE_MODEL_STEPS"].flatMap { Int($0) } ?? LongTests.rounds(20_000)
    var seed = environment["SLUICE_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
    var world = World(seed: seed)
    var done = 0
    var total = World.Figures()
    while done < steps {
      world = World(seed: seed)
      try world.live()
      if !world.faults.isEmpty {
        return XCTFail("seed \(seed): \(world.faults.prefix(8).joined(separator: " | "))")
      }
      done += world.figures.steps
      total.add(world.figures)
      seed += 1
    }
    // The model has met what it is about.
    for count in [
      total.kills, total.powerCuts, total.errors, total.dropped, total.parts, total.rowsAfterCuts, total.emptyParts,
      total.killsWhileOpening,
    ] {
      XCTAssertGreaterThan(count, 0, "\(total)")
    }
    if environment["SLUICE_MODEL_STEPS"] != nil { print("model: \(total)") }
  }
}

/// One disk, and the recordings that write to it one after the other.
private final class World {
  struct Figures {
    var steps = 0
    var runs = 0
    var readings = 0
    var written = 0
    var dropped = 0
    var errors = 0
    var kills = 0
    var powerCuts = 0
    var parts = 0
    var rowsAfterCuts = 0
    /// Parts without a row that a kill or a power cut has left behind the newest rows.
    var emptyParts = 0
    var killsWhileOpening = 0
    var calls = 0

    mutating func add(_ other: Figures) {
      steps += other.steps
      runs += other.runs
      readings += other.readings
      written += other.written
      dropped += other.dropped
      errors += other.errors
      kills += other.kills
      powerCuts += other.powerCuts
      parts += other.parts
      rowsAfterCuts += other.rowsAfterCuts
      emptyParts += other.emptyParts
      killsWhileOpening += other.killsWhileOpening
      calls += other.calls
    }
  }

  private enum End: CaseIterable { case stop, kill, dieInWrite, dieInCall, powerCut, powerCutInCall }

  private let disk: ModelDisk
  private var random: SeededGenerator
  private(set) var faults: [String] = []
  private(set) var figures = Figures()
  private var history: [String] = []
  private var nextID: Int64 = 1
  private let rotation: Rotation?
  private let ending: String
  private let stream = StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])
  /// The readings that are known to be in the recording, from the runs that have ended.
  private var certain: [Int64] = []
  /// Those of them that a power cut does not lose.
  private var synced: [Int64] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed)
    disk = ModelDisk(seed: seed &+ 1)
    let isRotated = Bool.random(using: &random)
    rotation =
      isRotated
      ? Rotation(
        size: Bool.random(using: &random) ? Int.random(in: 50...2_000, using: &random) : nil,
        period: .milliseconds(Int.random(in: 10...2_000, using: &random))) : nil
    ending = ["csv", "csv", "jsonl", "jsonl", "mcap"].randomElement(using: &random) ?? "csv"
  }

  private var path: String { "d/r.\(ending)" }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  func live() throws {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      try run()
      // After a failed sync the disk is no longer to be trusted, and the exit status has said so.
      if !faults.isEmpty || disk.hasLost { break }
    }
    if faults.isEmpty { checkOnceMore() }
    figures.calls = disk.calls
    figures.parts = disk.paths.filter { PartName($0.split(separator: "/").last ?? "") != nil }.count
  }

  /// What the last run left, as the next one would find it.
  private func checkOnceMore() {
    disk.fault = { _, _ in nil }
    let queue = VirtualQueues().queue
    do {
      _ = try RecordingSink(
        [output], streams: [stream], claims: OutputClaims(disk: Disk(files: disk)), makeQueue: { _ in queue }
      ) { _ in }
    } catch {
      // The beginning itself may be what a failed sync has lost.
      if disk.hasLost { return }
      fail("it cannot be opened again: \(error); \(files.map { (disk.text($0) ?? "").prefix(60) }) \(history)")
    }
    checkEarlier(rows())
  }

  private var output: RecordingOutput {
    RecordingOutput(
      path: path, format: format, existing: .append, rotation: rotation)
  }

  private var format: any RecordingFormat {
    switch ending {
    case "csv": CSVFormat(layout: .wide)
    case "mcap": MCAPFormat()
    default: JSONLinesFormat()
    }
  }

  // MARK: One run

  private func run() throws {
    figures.runs += 1
    let queues = VirtualQueues()
    let subject = PassthroughSubject<Reading, Never>()
    let source = Source(
      streams: [stream],
      publisher: { _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let place = Disk(
      files: disk,
      sync: [.every(.seconds(1)), .every(.milliseconds(100)), .batch].randomElement(using: &random) ?? .batch)
    let passed = Passed()
    let stages: [any RecordingStage] = [
      BufferStage(
        size: Int.random(in: 1...300, using: &random), whenFull: chance(50) ? .dropOldest : .dropNewest),
      PassedStage(passed: passed),
    ]
    let metadata = RecordingMetadata(
      command: "record", arguments: [], streams: [[stream]], isWhole: [[true]], host: .current, version: "1",
      began: .now())
    let parts = PartMetadata(metadata, [output], place, SystemClocks(), RecordingEvents())
    let end = End.allCases.randomElement(using: &random) ?? .stop
    history.append("\(end) \(place.sync)")
    if rotation != nil { figures.emptyParts += files.reversed().prefix { rows($0, isTornAllowed: true).isEmpty }.count }
    if [.dieInCall, .powerCutInCall].contains(end), chance(20) {
      disk.callsToLive = Int.random(in: 0...60, using: &random)
    }
    let opened = Result { () throws(SluiceError) in
      try Pipeline(
        .devices([source]), PipelineStages(stages), [output], parts: parts, disk: place,
        makeQueue: { _ in queues.queue })
    }
    if disk.isDead {
      figures.killsWhileOpening += 1
      if end == .powerCutInCall {
        disk.cutPower()
        certain = synced
      } else {
        disk.kill()
      }
      return queues.kill()
    }
    let pipeline = try opened.get()
    disk.callsToLive = .max
    parts.look { [unowned pipeline] in pipeline.outcome }
    // Opening has repaired what the last run left.
    let before = rows()
    checkEarlier(before)
    checkParts()
    // Opening has synced what the last run left.
    synced = before
    pipeline.start()
    queues.run(for: 1_000_000)
    let steps = Int.random(in: 5...200, using: &random)
    if end == .dieInWrite { disk.bytesToLive = Int.random(in: 0...(steps * 40), using: &random) }
    if [.dieInCall, .powerCutInCall].contains(end) {
      disk.callsToLive = Int.random(in: 0...(steps * 6), using: &random)
    }
    for _ in 0..<steps where !disk.isDead {
      figures.steps += 1
      step(subject, queues, pipeline)
      if chance(5), !disk.isDead { checkQuiet(queues, pipeline, before.count) }
    }
    finish(end, queues, pipeline, before, passed)
  }

  private func step(_ subject: PassthroughSubject<Reading, Never>, _ queues: VirtualQueues, _ pipeline: Pipeline) {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<60:
      for _ in 0..<Int.random(in: 1...(chance(10) ? 400 : 20), using: &random) {
        subject.send(
          Reading(time: nextID &* 1_000_000, stream: StreamID(0), values: Values(nextID)))
        nextID += 1
        figures.readings += 1
      }
    case ..<85: queues.run(for: Int64.random(in: 0...2_000_000_000, using: &random))
    case ..<88: pipeline.pause()
    case ..<92: pipeline.resume()
    case ..<97: disturb()
    default: disk.fault = { _, _ in nil }
    }
  }

  /// Errors of any call, for a while or once.
  private func disturb() {
    figures.errors += 1
    let code = [ENOSPC, EDQUOT, EROFS, EIO].randomElement(using: &random) ?? EIO
    let calls =
      [["write"], ["write", "truncate"], ["sync"], ["open"], ["write", "open", "rename", "sync", "truncate"]]
      .randomElement(using: &random) ?? []
    let percent = [5, 50, 100].randomElement(using: &random) ?? 5
    var chances = SeededGenerator(random.next())
    disk.fault = { call, _ in
      guard calls.contains(call), Int.random(in: 0..<100, using: &chances) < percent else { return nil }
      guard call == "write" else { return .error(code) }
      switch Int.random(in: 0..<3, using: &chances) {
      case 0: return .error(code)
      case 1: return .short
      default: return .shortError(code)
      }
    }
  }

  // MARK: Checks

  private func fail(_ what: String) { faults.append("run \(figures.runs), step \(figures.steps): \(what)") }

  /// With a disk that works, nothing is under way after some seconds.
  private func checkQuiet(_ queues: VirtualQueues, _ pipeline: Pipeline, _ before: Int) {
    disk.fault = { _, _ in nil }
    pipeline.resume()
    queues.run(for: 20_000_000_000)
    guard !disk.isDead else { return }
    let account = pipeline.account(seconds: 1)
    if account.unaccounted != 0 { fail("\(account.unaccounted) unaccounted: \(account.text)") }
    let rows = rows()
    if rows.count - before != account.written { fail("\(rows.count - before) rows, and \(account.written) written") }
    if !isAscending(rows) { fail("rows out of order or twice") }
  }

  private func finish(_ end: End, _ queues: VirtualQueues, _ pipeline: Pipeline, _ before: [Int64], _ passed: Passed) {
    switch end {
    case .stop where !disk.isDead:
      disk.fault = { _, _ in nil }
      pipeline.stop()
      queues.run(for: 20_000_000_000)
      let account = pipeline.account(seconds: 1)
      figures.written += account.written
      figures.dropped += account.dropped
      if account.unaccounted != 0 { fail("at the end \(account.unaccounted) unaccounted: \(account.text)") }
      let rows = rows()
      if rows.count - before.count != account.written {
        fail("at the end \(rows.count - before.count) rows, and \(account.written) written")
      }
      // In their order, as the stages passed them.
      if Array(rows.dropFirst(before.count)) != passed.ids { fail("the rows are not the readings") }
      certain = rows
      disk.kill()
      queues.kill()
    case .powerCut, .powerCutInCall:
      figures.powerCuts += 1
      let synced = pipeline.account(seconds: 1).outputs[0].streams[0].synced
      disk.cutPower()
      queues.kill()
      certain = before + passed.ids.prefix(synced)
      self.synced = certain
      possible = before + passed.ids
    default:
      figures.kills += 1
      certain = wholeRows()
      disk.kill()
      queues.kill()
      possible = before + passed.ids
      return checkPrefix(certain, "killed")
    }
    if end == .stop {
      possible = certain
      synced = certain
    }
  }

  /// What may be in the recording, in this order.
  private var possible: [Int64] = []

  private func checkEarlier(_ rows: [Int64]) {
    guard rows.count >= certain.count, Array(rows.prefix(certain.count)) == certain else {
      return fail("\(rows.count) rows are left, and \(certain.count) were certain")
    }
    checkPrefix(rows, "opened again")
    figures.rowsAfterCuts += rows.count - certain.count
  }

  private func checkPrefix(_ rows: [Int64], _ what: String) {
    guard !possible.starts(with: rows) else { return }
    // A power cut may take chunks out of the middle. What is whole behind them stays.
    if ending == "mcap", rows.starts(with: certain), Set(rows).isSubset(of: possible), isAscending(rows) { return }
    // The part whose sync failed ends early, and the next one goes on.
    if disk.hasLost, rotation != nil, Set(rows).isSubset(of: possible), rows == rows.sorted() { return }
    let first = zip(possible, rows).enumerated().first { $0.element.0 != $0.element.1 }
    fail(
      "\(what): of \(rows.count) rows and \(possible.count) readings number \(first.map { "\($0)" } ?? "beyond the last") differs; \(history)"
    )
  }

  /// No part is missing between others, and none without a row is before others: a part that a killed run has begun, and in
  /// which it has written no row, is removed before the next run begins one.
  private func checkParts() {
    guard rotation != nil, !disk.hasLost else { return }
    let numbers = files.compactMap { PartName($0.split(separator: "/").last ?? "")?.number }
    if zip(numbers, numbers.dropFirst()).contains(where: { $1 != $0 + 1 }) { fail("parts are missing: \(numbers)") }
    let isEmpty = files.map { rows($0, isTornAllowed: false).isEmpty }
    if zip(isEmpty, isEmpty.dropFirst()).contains(where: { $0 && !$1 }) {
      fail("a part has no row: \(files); \(history)")
    }
  }

  private func isAscending(_ rows: [Int64]) -> Bool { zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 } }

  // MARK: Rows

  private var files: [String] {
    guard rotation != nil else { return [path] }
    return disk.paths.compactMap { path in PartName(path.split(separator: "/").last ?? "").map { (path, $0.number) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// The readings of all rows; a row that is none is a fault.
  private func rows() -> [Int64] { files.flatMap { rows($0, isTornAllowed: false) } }

  /// Those with a line end.
  private func wholeRows() -> [Int64] { files.flatMap { rows($0, isTornAllowed: true) } }

  private func rows(_ path: String, isTornAllowed: Bool) -> [Int64] {
    if ending == "mcap" { return messages(path) }
    var text = disk.text(path) ?? ""
    if !text.isEmpty, !text.hasSuffix("\n") {
      // A part whose last sync has failed.
      if !isTornAllowed, !disk.hasLost {
        fail("\(path) ends with a torn row: \(text.suffix(40).debugDescription) of \(files) \(history)")
      }
      text = text.lastIndex(of: "\n").map { String(text[...$0]) } ?? ""
    }
    return text.split(separator: "\n").compactMap { row in
      if row.hasPrefix("time_ns,") { return nil }
      let value =
        ending == "csv"
        ? row.split(separator: ",").last : row.components(separatedBy: "\"x\":").last?.prefix { $0 != "}" }
      guard let id = value.flatMap({ Int64($0) }), row.contains("\(id * 1_000_000)") else {
        if !disk.hasLost { fail("\(path) has the row \(row.prefix(60))") }
        return nil
      }
      return id
    }
  }
}

extension World {
  /// The readings of a file of MCAP, also those behind damage.
  private func messages(_ path: String) -> [Int64] {
    let bytes = disk.bytes(path)
    guard bytes.count > 64 else { return [] }
    var options = OpenTrace.Options()
    options.skipped = SkippedRows()
    var ids: [Int64] = []
    do throws(SluiceError) {
      let trace = try MCAPTraceKind.open(bytes, name: path, options)
      var block = [Reading](repeating: .empty, count: 64)
      while true {
        let (count, error) = block.withUnsafeMutableBufferPointer { block -> (Int, SluiceError?) in
          do throws(SluiceError) { return (try trace.decoder.read(into: block), SluiceError?.none) } catch {
            return (0, error)
          }
        }
        if let error { throw error }
        if count == 0 { break }
        for reading in block.prefix(count) {
          if reading.values.isEmpty || reading.time != reading.values[0].significand * 1_000_000 {
            fail("\(path) has \(reading)")
          }
          ids.append(reading.values.isEmpty ? 0 : reading.time / 1_000_000)
        }
      }
    } catch {
      if !disk.hasLost { fail("\(path) cannot be read: \(error)") }
    }
    return ids
  }
}

/// What has passed the stages.
private final class Passed: @unchecked Sendable {
  // One thread at a time uses it.
  var ids: [Int64] = []
}

/// Notes what passes.
private struct PassedStage: RecordingStage {
  static let name = "passed"
  static let settings = Settings<PassedStage> { PassedStage(passed: Passed()) }
  let passed: Passed

  init(passed: Passed) { self.passed = passed }
  static func == (a: PassedStage, b: PassedStage) -> Bool { a.passed === b.passed }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(passed)) }

  func prepared(for inputs: InputStreams) -> PreparedStage {
    PreparedStage(streams: inputs) { readings, _ in
      readings.handleEvents(receiveOutput: { [passed] in passed.ids.append($0.time / 1_000_000) })
        .eraseToAnyPublisher()
    }
  }
}
