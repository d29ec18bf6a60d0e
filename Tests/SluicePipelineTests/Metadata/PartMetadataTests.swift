import Sluice
import SluiceReadings
import TestDisk
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// What is written beside the parts of a recording, on a disk in memory.
final class PartMetadataTests: XCTestCase {
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let streams = ["a", "b"].map {
    StreamDescription(name: $0, channels: [StreamDescription.Channel(name: "x")])
  }
  private var clocks = FakeClocks(isSynchronised: true)
  private var losses: [Loss] = []

  private final class Run {
    let pipeline: Pipeline
    let parts: PartMetadata
    let subject: PassthroughSubject<Reading, Never>

    init(_ pipeline: Pipeline, _ parts: PartMetadata, _ subject: PassthroughSubject<Reading, Never>) {
      (self.pipeline, self.parts, self.subject) = (pipeline, parts, subject)
    }
  }

  private func begin(
    _ rotation: Rotation, _ stages: [any RecordingStage] = [], path: String = "d/r.csv", isFolder: Bool = false,
    spills: Bool = false
  ) throws -> Run {
    let subject = PassthroughSubject<Reading, Never>()
    var source = Source(
      streams: streams,
      publisher: { _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    source.losses = { [unowned self] in losses }
    let disk = Disk(files: disk, sync: .batch)
    let output = RecordingOutput(
      path: path, isFolder: isFolder, format: CSVFormat(layout: isFolder ? .wide : .long), existing: .append,
      rotation: rotation)
    let metadata = RecordingMetadata(
      command: "record", arguments: [], streams: [streams], isWhole: [[true, true]], host: .current, version: "1",
      began: RecordingMetadata.Instant(
        time: clocks.realtime, monotonicOffset: 0, isSynchronised: clocks.isSynchronised))
    let said = Said()
    sentences = said
    let events = RecordingEvents()
    messages = events.publisher.sink { if let text = $0.kind.text { said.sentences.append(text) } }
    let parts = PartMetadata(metadata, [output], disk, clocks, events)
    let spill: SpillSetup? =
      spills
      ? SpillSetup(
        folder: try SpillFolder(
          of: output, path, appendingTo: names().map { "d/\($0)" }, SpillPlan(), streams, disk),
        size: 1 << 20, always: true, memory: 4, holds: true, run: 0) : nil
    let pipeline = try Pipeline(
      .devices([source]), PipelineStages(stages), [output], pauseMode: .spill, parts: parts, disk: disk,
      makeQueue: { [queues] _ in queues.queue }, spills: spills ? [spill] : [])
    parts.look { [unowned pipeline] in pipeline.outcome }
    pipeline.start()
    return Run(pipeline, parts, subject)
  }

  private final class Said: @unchecked Sendable {
    // One thread at a time uses it.
    var sentences: [String] = []
  }

  private var sentences = Said()
  private var messages: AnyCancellable?

  private func send(_ run: Run, _ time: Int64, _ stream: UInt16 = 0, _ flags: Reading.Flags = []) {
    run.subject.send(Reading(time: time, stream: StreamID(stream), values: Values(time), flags: flags))
    queues.run(for: 1_000_000_000)
  }

  private func end(_ run: Run) {
    run.pipeline.stop()
    queues.run(for: 60_000_000_000)
    run.pipeline.wait()
    XCTAssertNil(run.parts.end(run.pipeline.outcome))
  }

  private func names() -> [String] {
    disk.paths.compactMap { $0.split(separator: "/").last.map(String.init) }.filter { PartName($0) != nil }
  }

  private func metadata(_ name: String) throws -> TraceMetadata {
    let path = "d/\(name)-metadata.json"
    return try TraceMetadata(Array(try XCTUnwrap(disk.text(path), path).utf8), path: path)
  }

  private let second: Int64 = 1_000_000_000

  // MARK: Sums

  func testWhatPartsSayAddsUpToTheAccount() throws {
    let stages: [any RecordingStage] = [BufferStage(size: 5, whenFull: .dropOldest), EveryStage(2)]
    let run = try begin(Rotation(period: .seconds(1)), stages)
    for time in 0..<40 {
      if time == 12 { run.pipeline.pause() }
      // More than what may wait meanwhile: some are dropped.
      if time == 12 { for number in 0..<900 { send(run, 12 * second + Int64(number), UInt16(number % 2)) } }
      if time == 13 { run.pipeline.resume() }
      let flags: Reading.Flags =
        time % 10 == 5 ? .gapBefore : time == 7 ? .late : [9, 27].contains(time) ? .uncertainTime : []
      send(run, Int64(time) * second / 2, UInt16(time % 2), flags)
      if time % 15 == 14 {
        losses = [Loss(streams: ["a"], reason: "missed", count: time, first: 3, last: Int64(time) * second)]
      }
    }
    end(run)
    let account = run.pipeline.account(seconds: 1)
    XCTAssertGreaterThan(account.dropped, 0)
    XCTAssertGreaterThan(account.suppressed, 0)
    let documents = try names().map { try metadata($0) }
    XCTAssertGreaterThan(documents.count, 5)
    XCTAssertEqual(Set(documents.map(\.state)), [.finished])
    for (index, stream) in account.streams.enumerated() {
      let ledgers = try documents.map { try XCTUnwrap($0.ledger)[index] }
      func sum(_ key: KeyPath<StreamAccount, Int>) -> Int { ledgers.reduce(0) { $0 + $1[keyPath: key] } }
      XCTAssertEqual(
        [sum(\.received), sum(\.written), sum(\.dropped), sum(\.suppressed), sum(\.discarded), sum(\.unwritten)],
        [stream.received, stream.written, stream.dropped, stream.suppressed, stream.discarded, stream.unwritten])
      for ledger in ledgers {
        XCTAssertEqual(ledger.withoutFate, 0, "\(ledger)")
        XCTAssertEqual([ledger.firstDropped, ledger.lastDropped].contains(nil), ledger.dropped == 0, "\(ledger)")
      }
      // Each of its own rows.
      for (name, ledger) in zip(names(), ledgers) {
        let rows = (disk.text("d/\(name)") ?? "").split(separator: "\n").filter { $0.contains(",\(stream.stream),") }
        XCTAssertEqual(rows.count, ledger.written, name)
      }
    }
    let gaps = documents.flatMap { $0.gapBefore ?? [] }
    XCTAssertEqual(
      gaps.reduce(0) { $0 + $1.count }, run.pipeline.outcome.flagged[0].reduce(0) { $0 + $1.gapBefore.count })
    XCTAssertEqual(Set(gaps.flatMap(\.times)).count, gaps.flatMap(\.times).count, "none twice")
    XCTAssertTrue(gaps.flatMap(\.times).contains(5 * second / 2))
    XCTAssertEqual(documents.flatMap { $0.late ?? [] }.flatMap(\.times), [7 * second / 2])
    XCTAssertEqual(
      documents.compactMap(\.uncertainTime).flatMap { $0 }.map(\.times), [[9 * second / 2], [27 * second / 2]],
      "only in the parts that have such readings")
    // 14 found out, then 15 more; the ends of what was found out do not go before what was known.
    let missed = documents.flatMap { $0.losses ?? [] }
    XCTAssertEqual(missed.map(\.count), [14, 15])
    XCTAssertEqual(missed.map(\.first), [3, 14 * second])
    XCTAssertEqual(missed.map(\.last), [14 * second, 29 * second])
    XCTAssertEqual(documents.flatMap { $0.pauses ?? [] }.count, 1)
  }

  /// What only waited in the spill when a part ended is of the part that it came to; what is left at the end of the run is
  /// of its last part.
  func testAPartCountsWhatWaitsInTheSpillOnlyAtTheEndOfTheRun() throws {
    var before = 0
    for (number, isFull) in [true, false].enumerated() {
      let run = try begin(Rotation(period: .seconds(1)), spills: true)
      for time in 0..<60 {
        if [8, 30].contains(time) { run.pipeline.pause() }
        if [20, 40].contains(time) { run.pipeline.resume() }
        if isFull, time == 45 { disk.fault = { _, path in path.contains("-spill") ? nil : .error(ENOSPC) } }
        send(run, Int64(time + 100 * number) * second / 5, UInt16(time % 2))
      }
      run.pipeline.stop()
      queues.run(for: 30 * second)
      run.pipeline.stopAtOnce()
      queues.run(for: second)
      run.pipeline.branches[0].spill?.close {}
      queues.run(for: second)
      disk.fault = { _, _ in nil }
      XCTAssertNil(run.parts.end(run.pipeline.outcome))
      let account = run.pipeline.account(seconds: 1)
      XCTAssertEqual(account.unaccounted, 0)
      XCTAssertEqual(account.unwritten, 0)
      if isFull { XCTAssertGreaterThan(account.held, 0) } else { XCTAssertGreaterThan(account.resumed, 0) }
      let documents = try names().dropFirst(before).map { try metadata($0) }
      before = names().count
      XCTAssertGreaterThan(documents.count, 5)
      for (index, stream) in account.streams.enumerated() {
        let ledgers = try documents.map { try XCTUnwrap($0.ledger)[index] }
        for ledger in ledgers { XCTAssertEqual(ledger.withoutFate, 0, "\(ledger)") }
        XCTAssertEqual(ledgers.dropLast().map(\.held), ledgers.dropLast().map { _ in 0 })
        func sum(_ key: KeyPath<StreamAccount, Int>) -> Int { ledgers.reduce(0) { $0 + $1[keyPath: key] } }
        XCTAssertEqual(
          [sum(\.received), sum(\.written), sum(\.resumed), sum(\.held)],
          [stream.received, stream.written, stream.resumed, stream.held])
        var parts = PartsMetadata(.recorded)
        for document in documents { _ = parts.add(document) }
        let whole = try XCTUnwrap(parts.whole(missing: 0)?.ledger?[index])
        XCTAssertEqual([whole.resumed, whole.held, whole.withoutFate], [stream.resumed, stream.held, 0])
      }
    }
  }

  /// One part of each stream at a time, and each has its own account.
  func testFilesOfAFolder() throws {
    let run = try begin(Rotation(period: .seconds(2)), path: "d", isFolder: true)
    for time in 0..<6 {
      send(run, Int64(time) * second)
      if time < 3 { send(run, Int64(time) * second, 1) }
    }
    end(run)
    XCTAssertEqual(
      names(),
      [
        "a.000001.19700101T000000Z.csv", "a.000002.19700101T000002Z.csv", "a.000003.19700101T000004Z.csv",
        "b.000001.19700101T000000Z.csv", "b.000002.19700101T000002Z.csv",
      ])
    XCTAssertEqual(
      try names().map { try XCTUnwrap(metadata($0).ledger).map { "\($0.stream) \($0.written)" } },
      [["a 2"], ["a 2"], ["a 2"], ["b 2"], ["b 1"]])
    XCTAssertEqual(disk.paths.filter { $0.hasSuffix("-parts.jsonl") }, ["d/a.csv-parts.jsonl", "d/b.csv-parts.jsonl"])
  }

  func testWhatAPartSaysOfItself() throws {
    let run = try begin(Rotation(period: .seconds(1)))
    send(run, 0)
    let name = "r.000001.19700101T000000Z.csv"
    XCTAssertEqual(try metadata(name).state, .unfinished)
    send(run, second)
    let text = try XCTUnwrap(disk.text("d/\(name)-metadata.json"))
    XCTAssertTrue(text.contains("\"url\": \"\(name)\""), text)
    XCTAssertTrue(text.contains("\"sluice:part\": 1"), text)
    XCTAssertEqual(try metadata(name).state, .finished)
    // The newest goes on, and hears of the clock.
    var changes = ClockChanges()
    changes.add(.init(time: 5, cause: .set, offset: 9))
    XCTAssertTrue(run.parts.update(changes))
    let newest = try metadata("r.000002.19700101T000001Z.csv")
    XCTAssertEqual(newest.state, .unfinished)
    XCTAssertEqual(newest.runs.last?.clocks?.changes.map(\.time), [5])
    XCTAssertEqual(try metadata(name).runs.last?.clocks?.changes, [])
    end(run)
    XCTAssertEqual(try metadata("r.000002.19700101T000001Z.csv").state, .finished)
  }

  // MARK: A disk that is full

  func testMetadataThatCannotBeWrittenComesLater() throws {
    let run = try begin(Rotation(period: .seconds(1), keep: Retention(parts: 3)))
    disk.fault = { call, path in call == "write" && path.contains("-metadata.json") ? .error(ENOSPC) : nil }
    for time in 0..<6 { send(run, Int64(time) * second) }
    XCTAssertEqual(disk.paths.filter { $0.contains("metadata") }, [])
    XCTAssertEqual(names().count, 3)
    disk.fault = { _, _ in nil }
    end(run)
    XCTAssertEqual(run.pipeline.account(seconds: 1).written, 6)
    // Not of those that are gone.
    XCTAssertEqual(
      disk.paths.filter { $0.contains("metadata") }, names().map { "d/\($0)-metadata.json" })
    XCTAssertEqual(try names().map { try metadata($0).ledger?.first?.written }, [1, 1, 1])
    XCTAssertEqual(try names().map { try metadata($0).state }, [.finished, .finished, .finished])
  }

  /// A recording in two parts whose last reading finds a full disk, and whose end does not wait for it.
  private func endOnAFullDisk() throws -> Run {
    disk.keepsAllocated = true
    disk.room = 1 << 20
    let run = try begin(Rotation(period: .seconds(3)))
    for time in 0..<5 { send(run, Int64(time) * second) }
    disk.room = 0
    send(run, 5 * second)
    run.pipeline.stop()
    queues.run(for: 30 * second)
    run.pipeline.stopAtOnce()
    return run
  }

  /// Room for it was kept.
  func testTheLastMetadataOnAFullDisk() throws {
    let run = try endOnAFullDisk()
    queues.run(for: second)
    XCTAssertNil(run.parts.end(run.pipeline.outcome))
    let last = try metadata(XCTUnwrap(names().last)).ledger?[0]
    XCTAssertEqual([last?.received, last?.written, last?.unwritten], [3, 2, 1])
    XCTAssertEqual(disk.paths.filter { $0.hasSuffix(".room") }, [])
  }

  /// The sync at the end of the last part takes longer than the recording waits for it.
  func testAPartWhoseEndWaitsForTheDisk() throws {
    let run = try endOnAFullDisk()
    XCTAssertNil(run.parts.end(run.pipeline.outcome))
    for _ in 0..<2 {
      let last = try metadata(XCTUnwrap(names().last))
      XCTAssertEqual([last.ledger?[0].received, last.ledger?[0].written, last.ledger?[0].unwritten], [3, 2, 1])
      XCTAssertEqual(disk.paths.filter { $0.hasSuffix(".room") }, [])
      // Then it comes to its end.
      queues.run(for: second)
    }
  }

  func testMetadataThatCannotBeWrittenAtAllIsAnError() throws {
    let run = try begin(Rotation(period: .seconds(1)))
    disk.fault = { call, path in call == "write" && path.contains("-metadata.json") ? .error(ENOSPC) : nil }
    send(run, 0)
    run.pipeline.stop()
    queues.run(for: 60_000_000_000)
    run.pipeline.wait()
    XCTAssertEqual(
      run.parts.end(run.pipeline.outcome).map { "\($0)" },
      "cannot write d/r.000001.19700101T000000Z.csv-metadata.json: no space left on device; free some space")
  }

  // MARK: Retention

  func testWhatWasRemovedIsCounted() throws {
    let run = try begin(Rotation(period: .seconds(1), keep: Retention(parts: 2)))
    for time in 0..<10 { send(run, Int64(time) * second / 2, UInt16(time % 2)) }
    end(run)
    let removed = try XCTUnwrap(run.parts.removed[0])
    XCTAssertEqual([removed.parts, removed.readings], [3, 6])
    let index = try XCTUnwrap(PartIndex(Array((disk.text("d/r.csv-parts.jsonl") ?? "").utf8)))
    XCTAssertEqual([index.last, index.removedParts, index.removedReadings], [5, 3, 6])
    XCTAssertEqual(index.removedBytes, removed.bytes)
    XCTAssertEqual(disk.paths.filter { $0.contains("metadata") }, names().map { "d/\($0)-metadata.json" })
  }

  /// Times that were taken while nobody knew the time say nothing of an age.
  func testPartsAreRemovedByTheirAge() throws {
    let hour = 3_600 * second
    func record(_ hours: Range<Int64>) throws {
      let run = try begin(Rotation(period: .seconds(3_600), keep: Retention(age: .seconds(7_200))))
      let base = clocks.realtime / hour * hour
      for number in hours {
        send(run, base + number * hour)
        clocks.pass(hour)
      }
      end(run)
    }
    // Five hours, of which the last two are kept, and the one in which the first reading of those was taken.
    try record(0..<5)
    let kept = names().compactMap { PartName($0)?.number }
    XCTAssertEqual(kept.last, 5)
    XCTAssertLessThan(kept.count, 5)
    XCTAssertGreaterThanOrEqual(kept.count, 3)
    // A clock that is not synchronised removes nothing, however late it is by that.
    let now = clocks.realtime
    clocks = FakeClocks(monotonic: now + 1_000 * hour, isSynchronised: false)
    try record(0..<4)
    XCTAssertEqual(names().compactMap { PartName($0)?.number }, kept + [6, 7, 8, 9])
    // Later on it is: what was taken before still says nothing. The parts before it are old.
    clocks.synchronise()
    try record(0..<1)
    let left = names().compactMap { PartName($0)?.number }
    XCTAssertEqual(left, [kept.last ?? 0, 6, 7, 8, 9, 10])
  }
}

extension StreamAccount {
  /// 0 if each reading has one fate.
  fileprivate var withoutFate: Int {
    received + made + resumed - written - dropped - suppressed - used - discarded - unwritten - unaccounted - held
  }
}
