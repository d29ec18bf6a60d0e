import SluiceArguments
import SluiceControl
import SluicePipeline
import SluiceReadings

/// The options for other programs: `sluice ctl`, which controls a recording, the program that is run for its events, and
/// the file that tells its health.
struct ControlOptions: ArgumentGroup {
  var name: String?
  var markStream = false
  var onEvent: String?
  var events: NameList?
  var onEventLimit: TimeSpan?
  var textfile: String?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "name", "NAME",
        "The name for 'sluice ctl', which no other running recording has. (default: that of the first output's file)",
        \.name),
      .flag(
        "mark-stream", "Record marks as a stream too, marks:number: each has a reading with its time and its number.",
        \.markStream
      )
      .written { _ in "the source marks:number" },
      .option(
        "on-event", "COMMAND",
        "Run this program for events, without a shell, with the event as JSON on its standard input.", \.onEvent),
      .option(
        "events", "KIND,...",
        "The kinds of event for the program, such as output-away,source-removed. (default: those that need attention)",
        \.events),
      .option("on-event-limit", "T", "End the program if it runs longer than this. (default: 10s)", \.onEventLimit),
      .option(
        "textfile", "FILE",
        "Write the account and the health into this file every 15 s, for the textfile collector of Prometheus' node_exporter.",
        \.textfile, completion: .file),
    ]
  }

  func validate() throws {
    do throws(SluiceError) {
      _ = try name.map { name throws(SluiceError) in try ControlName(name) }
    } catch {
      throw Fault("--name: \(error.cause); \(error.remedy ?? "")")
    }
    if let textfile, !textfile.hasSuffix(".prom") {
      throw Fault("--textfile takes a name that ends in .prom, because node_exporter reads no other file")
    }
    guard let onEvent else {
      for (isGiven, option) in [(events != nil, "--events"), (onEventLimit != nil, "--on-event-limit")] where isGiven {
        throw Fault("\(option) is for --on-event; give --on-event too")
      }
      return
    }
    do throws(LineFault) { _ = try CommandWords.split(onEvent) } catch {
      throw Fault("--on-event takes a program with its arguments: \(error.cause)")
    }
    for name in events?.names ?? [] where !RecordingEvent.Kind.names.contains(name) {
      throw Fault(
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
