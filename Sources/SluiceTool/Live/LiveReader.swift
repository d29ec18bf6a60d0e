import Sluice
import SluicePipeline
import SluiceReadings

/// Looks at the readings of a recording on a queue of its own, so that the recording does not wait for it.
final class LiveReader: Subscriber, Sendable {
  typealias Input = Reading
  typealias Failure = Never

  /// The readings that gather while it does not look; at 100 kHz, those of a tenth of a second.
  private static let held = 16_384

  let streams: PriorityInheritanceMutex<LiveStreams>
  private let describe: @Sendable () -> [StreamDescription]
  private let subscription: Locked<(any Subscription)?> = Locked(nil)
  let combineIdentifier = CombineIdentifier()

  /// - Parameters:
  ///   - dots: The width of a chart in dots.
  ///   - describe: Returns the streams that are known.
  init(dots: Int, describe: @escaping @Sendable () -> [StreamDescription]) {
    var streams = LiveStreams(dots: dots)
    streams.describe(describe())
    (self.streams, self.describe) = (PriorityInheritanceMutex(streams), describe)
  }

  /// Begins to look at the readings of a recording.
  static func looking(at recording: Recording, dots: Int) -> LiveReader {
    let reader = LiveReader(dots: dots) { [weak recording] in recording?.streams ?? [] }
    recording.readings.gathered(for: .milliseconds(100)).holding(held) { [weak reader] count in
      reader?.streams.withLock { $0.miss(count) }
    }.subscribe(reader)
    return reader
  }

  func receive(subscription: any Subscription) {
    self.subscription.withLock { $0 = subscription }
    subscription.request(.unlimited)
  }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    take([reading])
    return .none
  }

  var _takesRuns: Bool { true }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    take(run)
    return Operators.Taken(count: run.count, demand: .none, isOver: false)
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription.withLock { $0 = nil } }

  func cancel() {
    let former = subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
    former?.cancel()
  }

  private func take(_ run: ArraySlice<Reading>) {
    streams.withLock { streams in
      // A stream that is not known yet, as in a trace from a pipe.
      if run.contains(where: { $0.stream.index >= streams.known }) { streams.describe(describe()) }
      streams.add(run)
    }
  }
}
