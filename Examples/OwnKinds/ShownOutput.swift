import SluiceReadings
import SluiceRecording
import Synchronization

/// An output that is no file: `shown://` prints each reading.
struct ShownOutput: OutputKind {
  let address: String

  init?(_ address: String) {
    guard address.hasPrefix("shown://") else { return nil }
    self.address = address
  }

  func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] {
    let claim = ShownClaim(name: address)
    claims.add(claim)
    return [ClaimedStore(ShownStore(streams), claim)]
  }
}

/// Other recordings may print at the same time, and nothing is stored.
final class ShownClaim: OutputClaim {
  let name: String

  init(name: String) { self.name = name }

  var safety: Safety { .never }
  func comesBack(from error: SluiceError) -> Bool { false }
  func discard() {}
}

final class ShownStore: RecordStore {
  private struct State {
    var streams: EncoderStreams
    var readings: [Reading] = []
  }

  private let state: Mutex<State>

  init(_ streams: [StreamDescription]) { state = Mutex(State(streams: EncoderStreams(streams))) }

  func check() {}
  func begin(_ found: (OutputEvent) -> Void) {}
  func describe(_ streams: [StreamDescription]) { state.withLock { $0.streams.streams = streams } }
  func close() {}

  // The sink gathers readings under its lock.
  func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    state.withLock { $0.readings += readings }
    return readings.count
  }

  var isFull: Bool { state.withLock { $0.readings.count >= 100 } }
  var isEmpty: Bool { state.withLock { $0.readings.isEmpty } }

  func batch() -> (any RecordBatch)? {
    state.withLock { state in
      defer { state.readings = [] }
      return state.readings.isEmpty ? nil : ShownBatch(state.readings, state.streams)
    }
  }
}

/// Readings on their way to the screen, on the queue of the output.
final class ShownBatch: RecordBatch {
  private let readings: [Reading]
  private let streams: EncoderStreams
  private var isWritten = false

  init(_ readings: [Reading], _ streams: EncoderStreams) { (self.readings, self.streams) = (readings, streams) }

  var byteCount: Int { readings.count * MemoryLayout<Reading>.stride }

  func write() {
    for reading in readings {
      let stream = Int(reading.stream.index)
      let texts = reading.values.enumerated().map { streams.text(of: $1, channel: $0, stream: stream) ?? "-" }
      print(streams.streams[stream].name, texts.joined(separator: " "))
    }
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
