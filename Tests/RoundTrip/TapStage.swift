import Sluice
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceStages

/// The readings that pass one place of a pipeline, and their streams.
final class Tap: Sendable {
  private struct State {
    var trace = Trace()
    var act: (@Sendable (Int) -> Void)?
  }

  private let state = Locked(State())

  var trace: Trace { state.withLock { $0.trace } }

  /// Calls a closure with the number of each reading, after it was noted.
  func onReading(_ act: @escaping @Sendable (Int) -> Void) { state.withLock { $0.act = act } }

  fileprivate func note(_ streams: [StreamDescription]) { state.withLock { $0.trace.streams = streams } }

  fileprivate func note(_ reading: Reading) {
    // A reading of no stream only tells the time to later stages.
    guard reading.stream != .none else { return }
    let (count, act) = state.withLock { state in
      state.trace.readings.append(reading)
      return (state.trace.readings.count, state.act)
    }
    act?(count)
  }
}

/// A stage that passes everything, and notes what leaves the stage before it.
///
/// It is in no registry, so no command can have it. It is added to the plan of a run, behind its other stages.
struct TapStage: RecordingStage {
  static let name = "tap"
  static let settings = Settings<TapStage> { TapStage(Tap()) }

  let tap: Tap

  func prepared(for inputs: InputStreams) -> PreparedStage {
    tap.note(inputs.known)
    return PreparedStage(streams: inputs) { [tap] readings, _ in
      readings.handleEvents(receiveOutput: tap.note).eraseToAnyPublisher()
    }
  }

  init(_ tap: Tap) { self.tap = tap }

  static func == (a: TapStage, b: TapStage) -> Bool { a.tap === b.tap }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(tap)) }
}
