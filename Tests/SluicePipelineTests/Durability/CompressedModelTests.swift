#if SLUICE_ARCHIVE
  import Foundation
  import Sluice
  import SluiceReadings
  import TestDisk
  import XCTest

  @testable import SluicePipeline
  @testable import SluiceRecording

  /// Random recordings into compressed files on a disk that fails, fills and dies. The file can always be decompressed up
  /// to its last whole batch, and has what the account says.
  final class CompressedModelTests: XCTestCase {
    func testRandomRecordings() throws {
      var (errors, kills, torn) = (0, 0, 0)
      for seed in 1...25 as ClosedRange<UInt64> {
        for compression in Compressions.all {
          let run = try Run(seed: seed, compression)
          run.live()
          XCTAssertEqual(run.faults, [], "seed \(seed), \(compression.name)")
          errors += run.errors
          kills += run.isKilled ? 1 : 0
          torn += run.isTorn ? 1 : 0
        }
      }
      for count in [errors, kills, torn] { XCTAssertGreaterThan(count, 0) }
    }
  }

  private final class Run {
    private let disk: ModelDisk
    private let queues = VirtualQueues()
    private let subject = PassthroughSubject<Reading, Never>()
    private let compression: any Compression.Type
    private let path: String
    private let pipeline: Pipeline
    private var random: SeededGenerator
    private var next: Int64 = 1
    private(set) var faults: [String] = []
    private(set) var errors = 0
    private(set) var isKilled = false
    private(set) var isTorn = false

    init(seed: UInt64, _ compression: any Compression.Type) throws {
      random = SeededGenerator(seed)
      disk = ModelDisk(seed: seed)
      self.compression = compression
      path = "r.csv.\(compression.ending)"
      let stream = StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])
      let output = try RecordingOutput(OutputPlan(path), for: [stream])
      XCTAssertTrue(output.compression == compression)
      let source = Source(
        streams: [stream],
        publisher: { [subject] _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
      pipeline = try Pipeline(
        .devices([source]), [BufferStage(size: 100_000, whenFull: .dropOldest)], [output],
        disk: Disk(files: disk, sync: .batch), makeQueue: { [queues] _ in queues.queue })
    }

    func live() {
      pipeline.start()
      queues.run(for: 1_000_000)
      isKilled = Bool.random(using: &random)
      let steps = Int.random(in: 1...25, using: &random)
      if isKilled { disk.bytesToLive = Int.random(in: 0...(steps * 60), using: &random) }
      for _ in 0..<steps where !disk.isDead {
        let count = Int.random(in: 1...(Bool.random(using: &random) ? 10 : 700), using: &random)
        for _ in 0..<count {
          subject.send(Reading(time: next, stream: StreamID(0), values: Values(next * 31 % 1_009)))
          next += 1
        }
        if Int.random(in: 0..<5, using: &random) == 0 { disturb() }
        queues.run(for: Int64.random(in: 0...2_000_000_000, using: &random))
      }
      let rows = rows()
      if disk.isDead {
        if rows.ids != Array(1..<Int64(rows.ids.count + 1)) || rows.ids.count >= next { fail("killed: \(rows)") }
        isTorn = rows.isTorn
        return queues.kill()
      }
      disk.fault = { _, _ in nil }
      disk.bytesToLive = .max
      pipeline.stop()
      queues.run(for: 60_000_000_000)
      let (account, all) = (pipeline.account(seconds: 1), self.rows())
      if account.unaccounted != 0 { fail("\(account.unaccounted) unaccounted") }
      if all.isTorn || all.ids != Array(1..<next) || account.written != all.ids.count {
        fail("\(all.ids.count) rows of \(next - 1), \(account.written) written")
      }
    }

    /// Errors of the next calls.
    private func disturb() {
      errors += 1
      let code = [ENOSPC, EDQUOT, EROFS, EIO].randomElement(using: &random) ?? EIO
      let calls = [["write"], ["write", "truncate"]].randomElement(using: &random) ?? []
      var chances = SeededGenerator(random.next())
      disk.fault = { call, _ in
        guard calls.contains(call), Int.random(in: 0..<4, using: &chances) > 0 else { return nil }
        guard call == "write" else { return .error(code) }
        return [.error(code), .short, .shortError(code)].randomElement(using: &chances)
      }
    }

    private func fail(_ what: String) { faults.append(what) }

    /// The readings of all rows in whole members; what cannot be decompressed to a member's end is torn.
    private func rows() -> (ids: [Int64], isTorn: Bool) {
      let (text, isTorn) = decompressed(disk.bytes(path), compression)
      guard !text.isEmpty else { return ([], isTorn) }
      if !isTorn, text.last != UInt8(ascii: "\n") { fail("a member has no whole rows") }
      let rows = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast()
      return (
        rows.dropFirst().compactMap { row in
          let cells = row.split(separator: ",").compactMap { Int64($0) }
          if cells.count != 2 || cells[1] != cells[0] * 31 % 1_009 { fail("the row \(row)") }
          return cells.first
        }, isTorn
      )
    }
  }

  /// What comes out, and whether it ends within a member.
  func decompressed(_ bytes: [UInt8], _ compression: any Compression.Type) -> (text: [UInt8], isTorn: Bool) {
    let decompressor = compression.decompressor()
    var text: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 10_000)
    var rest = bytes[...]
    while true {
      let result = rest.withUnsafeBytes { rest in
        room.withUnsafeMutableBytes { room in
          Result { () throws(DecompressionFault) in try decompressor.decompress(rest, into: room) }
        }
      }
      guard let (taken, given) = try? result.get(), taken + given > 0 else { break }
      text += room[..<given]
      rest = rest.dropFirst(taken)
    }
    return (text, !decompressor.isBetweenMembers || !rest.isEmpty)
  }
#endif
