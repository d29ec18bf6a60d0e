import SluiceArguments
package import SluicePipeline

extension WhenFull: NamedChoice {}

/// A buffer, and the stages that pass fewer readings.
struct OperatorOptions: ArgumentGroup {
  var buffer: Int?
  var whenFull: WhenFull?
  private var given: [StageText.Word] = []

  /// The names of the stages.
  static let names = StageText.thinning + [StageText.first.name]

  static var rows: [ArgumentRow<Self>] {
    let stages = StageText.words.filter { names.contains($0.name) }.map { word in
      let row = ArgumentRow<Self>.stage(word, \.given)
      return word.name == StageText.first.name ? row.written { _ in "--throttle T:first" } : row
    }
    return [
      .option(
        "buffer", "N",
        "Keep up to N readings per stream while they cannot be written; 0 for none. (default: what 8 MB hold when recording, none when replaying)",
        \.buffer),
      .option(
        "when-full", "drop-oldest|drop-newest|fail|spill", "What a full buffer does. (default: drop-oldest)", \.whenFull
      ),
    ] + stages
  }

  var isEmpty: Bool { buffer == nil && whenFull == nil && given.isEmpty }

  func validate() throws {
    if let buffer, buffer < 0 { throw ArgumentFault("--buffer takes 0 or more readings") }
    if whenFull != nil, buffer == 0 {
      throw ArgumentFault(
        "--when-full says what a full buffer does, and --buffer 0 keeps nothing; leave out one of them")
    }
    _ = try StageText.stages(given, dashes: "--")
  }

  /// The stages in the order in which readings pass them. The order of the options does not matter.
  /// - Parameters:
  ///   - isReplay: Whether the input is a trace. A trace waits for the output, so it has no buffer unless the user asks
  ///     for one.
  ///   - inner: The stages between the buffer and those that thin out.
  func stages(isReplay: Bool, _ inner: [StagePlan] = []) throws(UsageError) -> [StagePlan] {
    let hasBuffer = buffer.map { $0 > 0 } ?? !isReplay
    let first: [StagePlan] = hasBuffer ? [.buffer(buffer, whenFull: whenFull ?? .dropOldest)] : []
    return try first + inner + StageText.stages(given, dashes: "--")
  }
}
