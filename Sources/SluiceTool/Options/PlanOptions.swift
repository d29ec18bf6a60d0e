import ArgumentParser

/// A plan that is run, or what is said about a recording instead of running it.
struct PlanOptions: ParsableArguments {
  @Flag(help: "Check the plan, say what is wrong with it, and open nothing.")
  var check = false

  @Flag(
    help:
      "Say in sentences what would happen, and how long the outputs and this program may stand still until a reading is lost; open nothing."
  )
  var explain = false

  @Flag(help: "Print the JSON schema of station files, for editors.")
  var printSchema = false

  @Option(
    help: ArgumentHelp(
      "Run a plan, as --print-plan prints it; - is standard input. Takes no other options but --root, --name, --quiet, --verbose, --stats, --live, those of viewers and events, and those that print, check or explain.",
      valueName: "FILE"), completion: .file())
  var plan: String?
}
