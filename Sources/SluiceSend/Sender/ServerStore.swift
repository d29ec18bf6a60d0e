import Sluice
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Gathers readings, and puts them into the spool of a sender.
package final class ServerStore: RecordStore, @unchecked Sendable {
  // The lock of the sink protects `readings`. The sender has its own.

  private let sender: Sender
  /// Whether a batch waits for room in the spool.
  private let waits: Bool
  /// Whether the readings of each stream stand together, because each message has those of one stream.
  private let groupsStreams: Bool
  private let folder: String?
  private let address: String
  /// What was found when the spool was opened.
  private let faults: [SluiceError]
  private let changed: @Sendable (OutputEvent) -> Void
  private var readings: [Reading] = []

  /// The readings of a record of the spool.
  static let most = 1_024

  init(
    _ sender: Sender, to address: String, folder: String?, waits: Bool, groupsStreams: Bool = false,
    faults: [SluiceError] = [], _ changed: @escaping @Sendable (OutputEvent) -> Void
  ) {
    (self.sender, self.address, self.folder, self.waits, self.changed) = (sender, address, folder, waits, changed)
    (self.groupsStreams, self.faults) = (groupsStreams, faults)
  }

  package func check() {}

  package func begin(_ found: (OutputEvent) -> Void) {
    for fault in faults { found(.spoolFault(fault)) }
    let waiting = sender.waiting
    if waiting > 0, let folder { found(.spoolResumed(folder: folder, readings: waiting)) }
    sender.start()
  }

  package func discard() { sender.stop() }

  // MARK: Gathering

  package func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    let count = min(readings.count, Self.most - self.readings.count)
    self.readings += readings[..<count]
    return count
  }

  package var isFull: Bool { readings.count >= Self.most }
  package var isEmpty: Bool { readings.isEmpty }

  package func batch() -> (any RecordBatch)? {
    guard !readings.isEmpty else { return nil }
    defer {
      readings = []
      readings.reserveCapacity(Self.most)
    }
    return Batch(groupsStreams ? Self.byStream(readings) : readings, sender, waits: waits)
  }

  /// The readings of each stream together, in their order.
  static func byStream(_ readings: [Reading]) -> [Reading] {
    guard let first = readings.first, readings.contains(where: { $0.stream != first.stream }) else { return readings }
    var places: [StreamID: Int] = [:]
    var groups: [[Reading]] = []
    for reading in readings {
      let place = places[reading.stream] ?? groups.count
      if place == groups.count {
        places[reading.stream] = place
        groups.append([])
      }
      groups[place].append(reading)
    }
    return groups.flatMap { $0 }
  }

  package func describe(_ streams: [StreamDescription]) { sender.describe(streams) }

  // MARK: Writing

  package func acknowledge(_ safe: @escaping @Sendable (_ counts: [Int]) -> Void) { sender.acknowledged = safe }
  package func loses(_ lost: @escaping @Sendable (LostReadings) -> Void) { sender.lost = lost }
  package var losesWhatIsNotSafe: Bool { folder == nil }
  package var sending: SendingCounts? { sender.counts }

  package func close() throws(SluiceError) {
    sender.finish()
    let waiting = sender.waiting
    guard waiting > 0 else { return }
    if let folder { return changed(.spoolKept(folder: folder, readings: waiting)) }
    let reason = sender.reason
    let lost = sender.abandon()
    throw SluiceError(
      .failed, "send to", address,
      because: "it has not acknowledged the last \(grouped(lost)) reading\(lost == 1 ? "" : "s")"
        + (reason.map { ": \($0.cause)" } ?? ""),
      remedy: "with --wait-on-disk DIR they wait there for the next run")
  }

  /// Readings on their way into the spool, on the queue of the output.
  private final class Batch: RecordBatch {
    private let readings: [Reading]
    private let sender: Sender
    private let waits: Bool
    private var isWritten = false

    init(_ readings: [Reading], _ sender: Sender, waits: Bool) {
      (self.readings, self.sender, self.waits) = (readings, sender, waits)
    }

    var byteCount: Int { readings.count * MemoryLayout<Reading>.stride }

    func write() throws(SluiceError) {
      if waits { try sender.appendWaiting(readings) } else { try sender.append(readings) }
      isWritten = true
    }

    func count(into counts: inout [Int]) {
      for reading in readings {
        let stream = Int(reading.stream.index)
        while counts.count <= stream { counts.append(0) }
        counts[stream] += 1
      }
    }

    var unwritten: [Int: Int] {
      isWritten ? [:] : Dictionary(readings.map { (Int($0.stream.index), 1) }, uniquingKeysWith: +)
    }
  }
}
