import ArgumentParser
public import SluicePipeline

extension WhenFull: NamedChoice {}
extension CollectLimit: ExpressibleByArgument { package init?(argument: String) { self.init(argument) } }

struct OperatorOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep up to N readings per stream while they cannot be written; 0 for none. (default: what 8 MB hold when recording, none when replaying)",
      valueName: "N"))
  var buffer: Int?

  @Option(
    help: ArgumentHelp(
      "What a full buffer does. (default: drop-oldest)", valueName: "drop-oldest|drop-newest|fail|spill"))
  var whenFull: WhenFull?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Let through every Nth reading of each stream, beginning with the first.", valueName: "N"))
  var every: Int?

  @Option(
    help: ArgumentHelp(
      "Write the first reading of each stream at once, then the latest reading of each interval (100ms, 10Hz).",
      valueName: "T"))
  var throttle: RepeatedTime?

  @Flag(help: "With --throttle: the first reading of each interval instead of the latest.")
  var first = false

  @Option(
    help: ArgumentHelp(
      "Write each stream in groups of N readings, of T, or whichever comes first.", valueName: "N|T|N,T"))
  var collect: CollectLimit?

  var isEmpty: Bool {
    buffer == nil && whenFull == nil && every == nil && throttle == nil && !first && collect == nil
  }

  func validate() throws {
    if let buffer, buffer < 0 { throw ValidationError("--buffer takes 0 or more readings") }
    if whenFull != nil, buffer == 0 {
      throw ValidationError(
        "--when-full says what a full buffer does, and --buffer 0 keeps nothing; leave out one of them")
    }
    if let every, every < 1 { throw ValidationError("--every takes 1 or more: each reading, each second one, ...") }
    if first, throttle == nil { throw ValidationError("--first says what --throttle keeps; give both") }
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
