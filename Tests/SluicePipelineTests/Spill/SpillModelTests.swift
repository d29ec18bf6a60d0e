import Foundation
import Sluice
import SluiceReadings
import TestDisk
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// Random recordings with a spill, with errors of the disk, full disks, kills and power cuts. At the end every reading is in
/// the file once and in order, except those that were dropped, and the last ones of a run that was killed.
///
/// `SLUICE_MODEL_STEPS` is the number of steps, and `SLUICE_MODEL_SEED` the first seed.
final class SpillModelTests: XCTestCase {
  func testRandomRecordings() throws {
    let environment = ProcessInfo.processInfo.environment
    let steps = environment["SLUICE_MODEL_STEPS"].flatMap { Int($0) } ?? 20_000
    var seed = environment["SLUICE_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
    var figures = SpillWorld.Figures()
    while figures.steps < steps {
      let world = SpillWorld(seed: seed)
      world.figures = figures
      try world.live()
      if !world.faults.isEmpty {
        return XCTFail("seed \(seed): \(world.faults.prefix(8).joined(separator: " | "))")
      }
      figures = world.figures
      seed += 1
    }
    // What is rare does not come in a few steps.
    let rare = steps < 20_000 ? [] : [figures.cutParts]
    for count in [figures.kills, figures.powerCuts, figures.spilled, figures.resumed, figures.held] + rare {
      XCTAssertGreaterThan(count, 0, "\(figures)")
    }
    // Nearly always the watermark says what the output has, also in parts.
    XCTAssertLessThan(figures.runsThatMayWriteTwice * 50, figures.runs, "\(figures)")
    if environment["SLUICE_MODEL_STEPS"] != nil { print("model: \(figures)") }
  }
}

/// One disk, and the recordings that write to it one after the other.
private final class SpillWorld {
  struct Figures {
    var (steps, runs, readings, kills, powerCuts) = (0, 0, 0, 0, 0)
    var (spilled, resumed, held, dropped) = (0, 0, 0, 0)
    /// Parts that were cut back because their readings were written again.
    var cutParts = 0
    var runsThatMayWriteTwice = 0
  }

  private enum End: CaseIterable { case stop, stopFull, kill, dieInCall, powerCut, powerCutInCall }

  private let disk: ModelDisk
  private var random: SeededGenerator
  private(set) var faults: [String] = []
  var figures = Figures()
  private var history: [String] = []
  private var nextID: Int64 = 1
  private let path = "d/r.csv"
  private let rotation: Rotation?
  /// Whether a run has said that the recording may have readings twice.
  private var mayHaveTwice = false
  private let stream = StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])
  /// The readings that must be in the file once the spill is empty, and those that may be.
  private var certain: [Int64] = []
  private var possible: Set<Int64> = []

  init(seed: UInt64) {
    random = SeededGenerator(seed)
    disk = ModelDisk(seed: seed &+ 1)
    rotation =
      Bool.random(using: &random)
      ? Rotation(
        size: Bool.random(using: &random) ? Int.random(in: 50...1_000, using: &random) : nil,
        period: .milliseconds(Int.random(in: 10...200, using: &random))) : nil
  }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  private func fail(_ what: String) { faults.append("run \(figures.runs), step \(figures.steps): \(what) \(history)") }

  func live() throws {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      try run(End.allCases.randomElement(using: &random) ?? .stop)
      if !faults.isEmpty || disk.hasLost { return }
    }
    // A last run, on a disk that works.
    try run(.stop, isLast: true)
    guard faults.isEmpty, !disk.hasLost else { return }
    let rows = rows
    if !mayHaveTwice, rows != rows.sorted() || Set(rows).count != rows.count { fail("rows out of order, or twice") }
    if let other = rows.first(where: { !possible.contains($0) }) { fail("the row \(other) is of no reading") }
    let there = Set(rows)
    if let missing = certain.first(where: { !there.contains($0) }) {
      fail("\(missing) is missing, of \(certain.count) readings that were certain; \(rows.count) rows")
    }
    if disk.paths.contains(where: { $0.hasPrefix("d/r.csv-spill") && !$0.hasSuffix(".damaged") }) {
      fail("the spill is not empty: \(disk.paths)")
    }
  }

  private func run(_ end: End, isLast: Bool = false) throws {
    figures.runs += 1
    let queues = VirtualQueues()
    let subject = PassthroughSubject<Reading, Never>()
    let source = Source(
      streams: [stream],
      publisher: { _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let place = Disk(files: disk, sync: chance(50) ? .every(.milliseconds(100)) : .batch)
    var output = RecordingOutput(
      path: path, format: CSVFormat(layout: .wide), existing: .append, rotation: rotation)
    output.capacity = [200, 2_000, nil].randomElement(using: &random) ?? nil
    let always = chance(70)
    history.append("\(end)")
    let (size, memory) = (chance(20) ? 2_000 : 1 << 20, Int.random(in: 1...40, using: &random))
    let run = Int64(figures.runs)
    let metadata = RecordingMetadata(
      command: "record", arguments: [], streams: [[stream]], isWhole: [[true]], host: .current, version: "1",
      began: RecordingMetadata.Instant(time: run, monotonicOffset: 0, isSynchronised: nil))
    let parts = PartMetadata(metadata, [output], place, SystemClocks(), RecordingEvents())
    let isOfCalls = [.dieInCall, .powerCutInCall].contains(end)
    if isOfCalls, chance(20) { disk.callsToLive = Int.random(in: 0...60, using: &random) }
    var earlier: SpillFolder?
    let opened = Result { () throws(SluiceError) in
      let rotated =
        rotation == nil ? nil : try OutputFiles([output], [[stream]], inputs: [:], disk: place).continued.first
      let file = rotation == nil && disk.text(path) != nil ? [path] : []
      let folder = try SpillFolder(
        of: output, path, appendingTo: rotated?.recording ?? file, empty: rotated?.empty ?? [], SpillPlan(), [stream],
        place)
      earlier = folder
      let setup = SpillSetup(
        folder: folder, size: size, always: always, memory: memory, holds: true, run: UInt64(run))
      let pipeline = try Pipeline(
        .devices([source]), PipelineStages([BufferStage(size: 50)]), [output], pauseMode: .spill, parts: parts,
        disk: place, makeQueue: { _ in queues.queue }, spills: [setup])
      // The metadata says which run has written last: after a power cut, a log that was removed can be there again. Parts
      // write their own.
      if rotation == nil {
        _ = try MetadataFile(beside: path, place).begin(isAppending: true, hasRows: !file.isEmpty) { _ in
          metadata.document(of: .csv(path, streams: 0..<1), nil).text
        }
      }
      return pipeline
    }
    if disk.isDead {
      if end == .powerCutInCall { disk.cutPower() } else { disk.kill() }
      return queues.kill()
    }
    let pipeline = try opened.get()
    parts.look { [unowned pipeline] in pipeline.outcome }
    figures.cutParts += max(0, (earlier?.cuts.count ?? 0) - 1)
    if earlier?.mayBeTwice ?? 0 > 0 {
      mayHaveTwice = true
      figures.runsThatMayWriteTwice += 1
    }
    pipeline.start()
    queues.run(for: 1_000_000)
    let first = nextID
    if !isLast {
      let steps = Int.random(in: 5...150, using: &random)
      disk.callsToLive = isOfCalls ? Int.random(in: 0...(steps * 6), using: &random) : .max
      for _ in 0..<steps where !disk.isDead {
        figures.steps += 1
        step(subject, queues, pipeline)
      }
    }
    let ids = Array(first..<nextID)
    possible.formUnion(ids)
    switch end {
    case .stop, .stopFull:
      let fault = disk.fault
      var isSpillWell = false
      disk.fault = { _, _ in nil }
      if end == .stop {
        pipeline.resume()
        queues.run(for: 10_000_000_000)
      } else {
        isSpillWell = size > 2_000 && Bool.random(using: &random)
        disk.fault = isSpillWell ? { _, path in path.hasSuffix(".csv") ? .error(ENOSPC) : nil } : fault
      }
      pipeline.stop()
      queues.run(for: 30_000_000_000)
      if end == .stopFull {
        pipeline.stopAtOnce()
        queues.run(for: 1_000_000_000)
      }
      wait(for: pipeline, queues)
      disk.fault = { _, _ in nil }
      let account = pipeline.account(seconds: 1)
      if account.unaccounted != 0 { fail("\(account.unaccounted) unaccounted: \(account.text)") }
      let spill = account.outputs[0].spill
      figures.spilled += spill?.spilled ?? 0
      figures.resumed += spill?.resumed ?? 0
      figures.held += spill?.held ?? 0
      figures.dropped += account.dropped
      if account.streams[0].received != ids.count { fail("\(account.streams[0].received) of \(ids.count) received") }
      if isSpillWell, account.unwritten > spill?.lost ?? 0 {
        fail("\(account.unwritten) unwritten, though the spill takes readings: \(account.text)")
      }
      // What was dropped is not known here by its number.
      if account.dropped == 0, account.unwritten == 0 { certain += ids }
      // A power cut loses what was not synced, and is counted.
      if spill?.lost ?? 0 > 0, !history.contains(where: { $0.hasPrefix("powerCut") }) {
        fail("\(spill?.lost ?? 0) lost in the spill")
      }
      queues.kill()
      disk.kill()
    case .kill, .dieInCall:
      figures.kills += 1
      keep(pipeline, ids)
      disk.kill()
      queues.kill()
    case .powerCut, .powerCutInCall:
      figures.powerCuts += 1
      keep(pipeline, ids)
      disk.cutPower()
      queues.kill()
    }
  }

  /// Of a killed run, the readings that are synced in the output are certain, if none was dropped.
  private func keep(_ pipeline: Pipeline, _ ids: [Int64]) {
    let account = pipeline.account(seconds: 1)
    let resumed = account.streams[0].resumed
    let synced = account.outputs[0].streams[0].synced - resumed
    if account.dropped == 0, synced > 0 { certain += ids.prefix(synced) }
  }

  private func step(_ subject: PassthroughSubject<Reading, Never>, _ queues: VirtualQueues, _ pipeline: Pipeline) {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<55:
      for _ in 0..<Int.random(in: 1...(chance(10) ? 200 : 20), using: &random) {
        subject.send(Reading(time: nextID &* 1_000_000, stream: StreamID(0), values: Values(nextID)))
        nextID += 1
        figures.readings += 1
        if chance(30) { queues.run(for: 1_000) }
      }
    case ..<75: queues.run(for: Int64.random(in: 0...2_000_000_000, using: &random))
    case ..<83: pipeline.pause()
    case ..<92: pipeline.resume()
    case ..<97:
      let isOfSpill = chance(40)
      let code = [ENOSPC, EIO].randomElement(using: &random) ?? EIO
      let percent = [20, 100].randomElement(using: &random) ?? 20
      let calls = [["write"], ["write", "truncate"], ["write", "open"]].randomElement(using: &random) ?? []
      var chances = SeededGenerator(random.next())
      disk.fault = { call, path in
        guard calls.contains(call), path.hasPrefix("d/r.csv-spill") == isOfSpill,
          Int.random(in: 0..<100, using: &chances) < percent
        else { return nil }
        return call == "write" && Bool.random(using: &chances) ? .shortError(code) : .error(code)
      }
    default: disk.fault = { _, _ in nil }
    }
  }

  /// The end of a pipeline, whose queues are virtual.
  private func wait(for pipeline: Pipeline, _ queues: VirtualQueues) {
    for branch in pipeline.branches {
      let isClosed = Locked(false)
      branch.spill?.close { isClosed.withLock { $0 = true } }
      queues.run(for: 1_000_000)
      if !isClosed.withLock({ $0 }) { fail("the spill is not closed") }
    }
  }

  private var files: [String] {
    guard rotation != nil else { return [path] }
    return disk.paths.compactMap { path in PartName(path.split(separator: "/").last ?? "").map { (path, $0.number) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  private var rows: [Int64] {
    files.flatMap { path in
      (disk.text(path) ?? "").split(separator: "\n").dropFirst().compactMap { row in
        row.split(separator: ",").last.flatMap { Int64($0) }
      }
    }
  }
}
