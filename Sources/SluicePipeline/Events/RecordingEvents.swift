package import Sluice
package import SluiceReadings

/// Publishes the events of a recording, one at a time, in the order in which they happened. Any thread may send one.
///
/// A subscriber gets the events since its subscription, on the thread of the event. It gets none for which it has no
/// demand.
package final class RecordingEvents: Sendable {
  private let subject = PassthroughSubject<RecordingEvent, Never>()
  /// The clock of the readings, once it is known.
  private let clock = Locked(EpochClock?.none)

  package init() {}

  package var publisher: AnyPublisher<RecordingEvent, Never> { subject.eraseToAnyPublisher() }

  package func use(_ clock: EpochClock) { self.clock.withLock { $0 = clock } }

  package func send(_ kind: RecordingEvent.Kind, at time: Int64? = nil) {
    let time = time ?? (clock.withLock { $0 } ?? EpochClock()).now
    subject.send(RecordingEvent(time: time, kind: kind))
  }
}
