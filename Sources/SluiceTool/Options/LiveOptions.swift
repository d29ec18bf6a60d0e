import ArgumentParser

/// Whether a recording is shown while it runs.
struct LiveOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "On a terminal: show the streams while it runs, or only a line of progress. (default: --live for record, and for replay with --rate)"
    ))
  var live: Bool?
}
