import ArgumentParser
import SluiceControl
import SluicePipeline
import SluiceReadings

/// The options for other programs: `sluice ctl`, which controls a recording, the program that is run for its events, and
/// the file that tells its health. They are one group, because each group adds 1.5 % to the start of the command.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name for 'sluice ctl', which no other running recording has. (default: that of the first output's file)",
      valueName: "NAME"))
  var name: String?

  @Flag(
    help: ArgumentHelp(
      "Record marks as a stream too, marks:number: each has a reading with its time and its number."))
  var markStream = false

  @Option(
    help: ArgumentHelp(
      "Run this program for events, without a shell, with the event as JSON on its standard input.",
      valueName: "COMMAND"))
  var onEvent: String?

  @Option(
    help: ArgumentHelp(
      "The kinds of event for the program, such as output-away,source-removed. (default: those that need attention)",
      valueName: "KIND,..."))
  var events: NameList?

  @Option(help: ArgumentHelp("End the program if it runs longer than this. (default: 10s)", valueName: "T"))
  var onEventLimit: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Write the account and the health into this file every 15 s, for the textfile collector of Prometheus' node_exporter.",
      valueName: "FILE"), completion: .file())
  var textfile: String?

  func validate() throws {
    do throws(SluiceError) {
      _ = try name.map { name throws(SluiceError) in try ControlName(name) }
    } catch {
      throw ValidationError("--name: \(error.cause); \(error.remedy ?? "")")
    }
    if let textfile, !textfile.hasSuffix(".prom") {
      throw ValidationError("--textfile takes a name that ends in .prom, because node_exporter reads no other file")
    }
    guard let onEvent else {
      for (isGiven, option) in [(events != nil, "--events"), (onEventLimit != nil, "--on-event-limit")] where isGiven {
        throw ValidationError("\(option) is for --on-event; give --on-event too")
      }
      return
    }
    do throws(LineFault) { _ = try CommandWords.split(onEvent) } catch {
      throw ValidationError("--on-event takes a program with its arguments: \(error.cause)")
    }
    for name in events?.names ?? [] where !RecordingEvent.Kind.names.contains(name) {
      throw ValidationError(
        "there is no event \(quoted(name)); there are \(RecordingEvent.Kind.names.joined(separator: ", "))")
    }
  }

  /// Nil without `--on-event`.
  func programs(_ tell: @escaping @Sendable (String) -> Void) throws(LineFault) -> EventPrograms? {
    guard let onEvent else { return nil }
    return EventPrograms(
      try CommandWords.split(onEvent), kinds: Set(events?.names ?? RecordingEvent.Kind.attentionNames),
      limit: onEventLimit?.nanoseconds ?? 10_000_000_000, tell: tell)
  }
}
