package import Sluice
package import SluiceExtras
package import SluiceReadings
package import SluiceRecording

/// The time of a mark, and its place among all marks, from 1 on.
package struct NumberedMark: Equatable, Sendable {
  package var number: Int
  package var time: Int64
}

/// Publishes the events of a recording, one at a time, in the order in which they happened. Any thread may send one.
///
/// A subscriber gets the events since its subscription, on the thread of the event. It gets none for which it has no
/// demand.
package final class RecordingEvents: Sendable {
  private let subject = PassthroughSubject<RecordingEvent, Never>()
  /// The clock of the readings, once it is known.
  private let clock = Locked(EpochClock?.none)
  private let marks = Locked(ReplaySubject<NumberedMark, Never>?.none)

  package init() {}

  package var publisher: AnyPublisher<RecordingEvent, Never> { subject.eraseToAnyPublisher() }

  package func use(_ clock: EpochClock) { self.clock.withLock { $0 = clock } }

  /// The marks from now on, for a stream of them. Without one, nothing keeps them here.
  package func keepMarks() -> ReplaySubject<NumberedMark, Never> {
    marks.withLock { marks in
      let kept = marks ?? ReplaySubject(bufferSize: Mark.limit)
      marks = kept
      return kept
    }
  }

  /// Sends a mark.
  package func send(_ mark: Mark, number: Int) {
    marks.withLock { $0 }?.send(NumberedMark(number: number, time: mark.time))
    send(.marked(mark.text), at: mark.time)
  }

  package func send(_ kind: RecordingEvent.Kind, at time: Int64? = nil) {
    let time = time ?? (clock.withLock { $0 } ?? EpochClock()).now
    subject.send(RecordingEvent(time: time, kind: kind))
  }
}
