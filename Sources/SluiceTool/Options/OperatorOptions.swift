import SluiceArguments
import SluicePipeline
import SluiceReadings

/// A buffer, and the stages that pass fewer readings.
struct OperatorOptions: ArgumentGroup {
  var buffer = BufferStage()
  private var given: [StageText.Word] = []

  /// The names of the stages.
  static let names = StageText.thinning + [StageText.first.name]

  static var rows: [ArgumentRow<Self>] {
    let stages = StageText.words.filter { names.contains($0.name) }.map { word in
      let row = ArgumentRow<Self>.stage(word, \.given)
      return word.name == StageText.first.name ? row.written { _ in "--throttle T:first" } : row
    }
    return .settings("buffer", "when-full", of: BufferStage.settings, \.buffer) + stages
  }

  func validate() throws {
    if buffer.whenFull != .dropOldest, buffer.size == 0 {
      throw Fault("--when-full says what a full buffer does, and --buffer 0 keeps nothing; leave out one of them")
    }
    _ = try StageText.stages(given, dashes: "--")
  }

  /// The stages in the order in which readings pass them. The order of the options does not matter.
  /// - Parameters:
  ///   - isReplay: Whether the input is a trace. A trace waits for the output, so it has no buffer unless the user asks
  ///     for one.
  ///   - inner: The stages between the buffer and those that thin out.
  func stages(isReplay: Bool, _ inner: [StagePlan] = []) throws(Fault) -> [StagePlan] {
    let hasBuffer = buffer.size.map { $0 > 0 } ?? !isReplay
    return try (hasBuffer ? [StagePlan(buffer)] : []) + inner + StageText.stages(given, dashes: "--")
  }
}
