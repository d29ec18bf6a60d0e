import ArgumentParser
import Dispatch
import Sluice
import SluiceDispatch
import SluiceRecording
import Synchronization

/// What to record.
struct SourceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The ticks of a timer, for trying things out.", valueName: "PERIOD"))
  var timer: [DurationArgument] = []

  func validate() throws {
    if timer.isEmpty {
      throw ValidationError("say what to record: --timer PERIOD")
    }
  }

  /// Opens everything, or nothing.
  func open() throws(SluiceError) -> [Source] {
    let clock = EpochClock()
    return timer.map { Self.timer($0, clock) }
  }

  /// A reading a tick: its number, so that missed ones show.
  private static func timer(_ period: DurationArgument, _ clock: EpochClock) -> Source {
    let missed = Counter()
    let name = "timer \(period.defaultValueDescription)"
    return Source(
      streams: [StreamDescription(name: name, channels: [StreamDescription.Channel(name: "tick")])],
      publisher: { stream in
        Publishers.timer(interval: .nanoseconds(Int(period.nanoseconds))).ticks
          .map { tick in
            missed.add(Int(tick.missed))
            return Reading(
              time: clock.time(monotonic: tick.time.uptimeNanoseconds), stream: stream,
              values: Values(Int64(tick.number)), flags: tick.missed > 0 ? .gapBefore : [])
          }
          .setFailureType(to: SluiceError.self)
          .eraseToAnyPublisher()
      },
      losses: { [Loss(label: "missed (timer late or nobody asked)", count: missed.value)] })
  }
}

/// A number that one thread counts and another reads.
final class Counter: Sendable {
  private let count = Atomic(0)
  func add(_ more: Int) { if more != 0 { count.add(more, ordering: .relaxed) } }
  var value: Int { count.load(ordering: .relaxed) }
}
