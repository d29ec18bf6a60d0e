import SluiceArguments
package import SluicePipeline

extension WhenFull: NamedChoice {}
extension CollectLimit: TimeArgument { package init?(argument: String) { self.init(argument) } }

struct OperatorOptions: ArgumentGroup {
  var buffer: Int?
  var whenFull: WhenFull?
  var every: Int?
  var throttle: RepeatedTime?
  var first = false
  var collect: CollectLimit?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "buffer", "N",
        "Keep up to N readings per stream while they cannot be written; 0 for none. (default: what 8 MB hold when recording, none when replaying)",
        \.buffer),
      .option(
        "when-full", "drop-oldest|drop-newest|fail|spill", "What a full buffer does. (default: drop-oldest)", \.whenFull
      ),
      .option("every", "N", "Let through every Nth reading of each stream, beginning with the first.", \.every),
      .option(
        "throttle", "T",
        "Write the first reading of each stream at once, then the latest reading of each interval (100ms, 10Hz).",
        \.throttle, notice: RoundedRate.notices),
      .flag("first", "With --throttle: the first reading of each interval instead of the latest.", \.first),
      .option(
        "collect", "N|T|N,T", "Write each stream in groups of N readings, of T, or whichever comes first.", \.collect,
        notice: RoundedRate.notices),
    ]
  }

  var isEmpty: Bool {
    buffer == nil && whenFull == nil && every == nil && throttle == nil && !first && collect == nil
  }

  func validate() throws {
    if let buffer, buffer < 0 { throw ArgumentFault("--buffer takes 0 or more readings") }
    if whenFull != nil, buffer == 0 {
      throw ArgumentFault(
        "--when-full says what a full buffer does, and --buffer 0 keeps nothing; leave out one of them")
    }
    if let every, every < 1 { throw ArgumentFault("--every takes 1 or more: each reading, each second one, ...") }
    if first, throttle == nil { throw ArgumentFault("--first says what --throttle keeps; give both") }
  }

  /// The stages in the order in which readings pass them. The order of the options does not matter.
  /// - Parameters:
  ///   - isReplay: Whether the input is a trace. A trace waits for the output, so it has no buffer unless the user asks
  ///     for one.
  ///   - inner: The stages between the buffer and those that thin out.
  func stages(isReplay: Bool, _ inner: [StagePlan] = []) -> [StagePlan] {
    var stages: [StagePlan] = []
    if buffer.map({ $0 > 0 }) ?? !isReplay { stages.append(.buffer(buffer, whenFull: whenFull ?? .dropOldest)) }
    stages += inner
    if let every { stages.append(.every(every)) }
    if let throttle { stages.append(.throttle(for: throttle.time, latest: !first)) }
    if let collect { stages.append(StagePlan(CollectStage(collect))) }
    return stages
  }
}
