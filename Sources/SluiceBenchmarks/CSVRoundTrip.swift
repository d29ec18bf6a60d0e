import Dispatch
import Sluice
package import SluiceReadings
import SluiceRecording

/// Readings that become rows of CSV, and rows that become readings: through the sink and the reader that recording and
/// replaying use.
package enum CSVRoundTrip {
  package static let channels = 4

  /// As a converter of 12 bits at 1 kHz gives them.
  package static func reading(_ index: Int) -> Reading {
    var values = Values()
    for channel in 0..<channels { values.append(Int64((index &* (channel + 3)) % 4_096 - 2_048)) }
    return Reading(time: 1_700_000_000_000_000_000 + Int64(index) * 1_000_000, stream: StreamID(0), values: values)
  }

  private static let description = StreamDescription(
    name: "bench", channels: (0..<channels).map { StreamDescription.Channel(name: "voltage\($0)") })

  package static func encode(_ readings: [Reading], to path: String) throws(SluiceError) {
    let end = End()
    let sink = try RecordingSink(
      [.csv(path, layout: .wide, existing: .overwrite)], streams: [description], receiveCompletion: end.reach)
    readings.publisher.subscribe(sink)
    try end.wait()
  }

  package static func decode(_ path: String) throws(SluiceError) {
    let end = End()
    let cancellable = Publishers.Replay(try TraceReader(path: path)).sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { end.reach(error) } else { end.reach(nil) }
      }, receiveValue: { _ in })
    try end.wait()
    withExtendedLifetime(cancellable) {}
  }

  /// The end of a stream, which may come on another thread.
  private final class End: Sendable {
    private let error = Locked<SluiceError?>(nil)
    private let reached = DispatchSemaphore(value: 0)

    @Sendable func reach(_ error: SluiceError?) {
      self.error.withLock { $0 = error }
      reached.signal()
    }

    func wait() throws(SluiceError) {
      reached.wait()
      if let error = error.withLock({ $0 }) { throw error }
    }
  }
}
