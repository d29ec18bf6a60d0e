public import ArgumentParser
import SluiceDevices
import SluiceFormats
public import SluicePipeline
import SluiceReadings
import SluiceSystem

#if SLUICE_HTTP
  import SluiceHTTP
#endif

/// The command `sluice`.
///
/// A program of your own can be a `sluice` with further kinds of source. They are in its help, in `sluice list` and
/// `sluice doctor`, in plans, and in the completions of a shell:
///
/// ```swift
/// import SluiceTool
///
/// SluiceCommand.main(adding: ThermometerKind.self)
/// ```
public struct SluiceCommand: ParsableCommand {
  /// The name, the commands and the help.
  public static let configuration = CommandConfiguration(
    commandName: "sluice",
    abstract:
      "Record GPIO lines and sensors of Linux into files or to servers, and replay, convert and draw the recordings.",
    discussion: """
      Readings go to standard output only for '-o -'; messages go to standard error.
      'sluice help COMMAND' shows a command, 'sluice help COMMAND GROUP' a group of its options, and 'sluice help OPTION' one option wherever it is.
      Durations are 250us, 10ms, 2s, 1m, 1h, 7d. Exit status: 0 done, 1 failed, 3 lost more than --max-loss allows, \
      4 readings are unaccounted for, 64 wrong usage.
      """,
    version: SluicePipeline.version,
    subcommands: commands
  )

  private static let commands: [any ParsableCommand.Type] =
    [
      RecordCommand.self, ReplayCommand.self, ConvertCommand.self, InfoCommand.self, PlotCommand.self, DiffCommand.self,
      ControlCommand.self, ListCommand.self, ServiceCommand.self,
      DoctorCommand.self, BenchCommand.self, VerifyCommand.self, RepairCommand.self, SpoolCommand.self,
    ] + senders

  #if SLUICE_MQTT
    private static let senders: [any ParsableCommand.Type] = [ResendCommand.self, LandCommand.self]
  #elseif SLUICE_CURL
    private static let senders: [any ParsableCommand.Type] = [ResendCommand.self]
  #else
    private static let senders: [any ParsableCommand.Type] = []
  #endif

  /// Makes the command without arguments.
  public init() {}

  /// Lists the devices and what can be recorded from them.
  public func run() throws {
    let listing = Listing(roots: DeviceRoots())
    try reportingErrors { try printText(Welcome(listing.devices).text) }
    // Without permission the devices are missing from the list.
    if !listing.failures.isEmpty { Console.warn("some devices cannot be opened; 'sluice doctor' says why") }
  }

  /// Runs the command with further kinds of source.
  public static func main(adding kinds: any SourceKind.Type...) {
    do throws(SluiceError) {
      for kind in kinds { try SourceKinds.add(kind) }
    } catch {
      Console.printLine("sluice: \(error)", .error)
      exit(withError: ExitCode.validationFailure)
    }
    main()
  }

  /// Runs the command with the arguments of the process.
  public static func main() {
    // Only for `record`, SIGHUP can mean something other than an end.
    Signals.hold(withHangUp: CommandLine.arguments.dropFirst().first == RecordCommand.configuration.commandName)
    StandardStreams.fill()
    limitHeap()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      // Not the text of the configuration, which is made for every command: the libraries are loaded for their versions.
      if ["version", "-V", "--version"].contains(arguments.first), arguments.count == 1 {
        return try printText("\(SluicePipeline.version) (\(libraries))\n")
      }
      if let page = try HelpPage(arguments) { return try printText(page.text) }
      if arguments.first == "help", arguments.count == 2,
        !configuration.subcommands.contains(where: { $0.configuration.commandName == arguments[1] }),
        let option = OptionHelp(arguments[1])
      {
        return try printText(option.text)
      }
      // ArgumentParser would print the help of `help`.
      if arguments.first == "help", let unknown = WrongUsage.unknownCommand(arguments) {
        throw ValidationError("there is no command \(unknown)")
      }
      var command = try parsed(arguments)
      for notice in RoundedRates.notices(arguments) { Console.warn(notice) }
      try command.run()
    } catch  where exitCode(for: error) == .validationFailure && !(error is ExitCode) {
      Console.printLine("sluice: \(WrongUsage(error, arguments).sentence)", .error)
      exit(withError: ExitCode.validationFailure)
    } catch {
      exit(withError: error)
    }
  }

  /// The command of these arguments.
  ///
  /// If ArgumentParser starts at the root, it makes the options of a subcommand four times; if it starts at the
  /// subcommand, twice. So the root parses only what the subcommand refuses: `--help`, `--version`, the completion
  /// scripts, and errors, which then name the whole command.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = OptionalValues.completed(arguments)
    let name = arguments.first
    if let subcommand = commands.first(where: { $0.configuration.commandName == name }),
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == subcommand
    {
      try RepeatedOptions.check(arguments.dropFirst(), of: subcommand)
      return command
    }
    return try parseAsRoot(arguments)
  }

  private static var viewersVersion: String? {
    #if SLUICE_HTTP
      RecordingServer.libraryVersion
    #else
      nil
    #endif
  }

  /// The libraries of this build. Each of them is optional.
  private static var libraries: String {
    [
      GPIOChips.libraryVersion.map { "libgpiod \($0)" } ?? "without libgpiod: no GPIO",
      FormatLibraries.database.map { "SQLite \($0)" } ?? "without SQLite: no databases",
      FormatLibraries.archives ?? "without libarchive: no sigrok sessions, nothing compressed",
      viewersVersion ?? "without libwebsockets: no viewers",
      PlanOptions.libraryVersion ?? "without libyaml: no station files",
    ].joined(separator: ", ")
  }
}
