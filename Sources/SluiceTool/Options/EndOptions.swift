import ArgumentParser
import SluicePipeline

/// The options that end a recording, or keep it from its begin.
struct EndOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after T, such as 500ms, 90s or 5m.", valueName: "T"))
  var duration: TimeSpan?

  @Option(
    name: [.long, .customShort("n", allowingJoined: true)], parsing: .unconditional,
    help: ArgumentHelp("Stop after N received readings.", valueName: "N")
  )
  var count: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop when nothing has come for T, such as 30s.", valueName: "T"))
  var idleTimeout: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Do not begin if the wall clock is not synchronised, or may be wrong by more than T, such as 10ms; readings that come while it is are flagged.",
      valueName: "T"))
  var maxClockError: TimeSpan?

  var isEmpty: Bool { duration == nil && count == nil && idleTimeout == nil && maxClockError == nil }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes 1 or more readings") }
  }
}
