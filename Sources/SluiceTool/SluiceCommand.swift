import SluiceArguments
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
public enum SluiceCommand {
  static var program: ArgumentProgram {
    ArgumentProgram(
      "sluice",
      "Record GPIO lines and sensors of Linux into files or to servers, and replay, convert and draw the recordings.",
      discussion: """
        Readings go to standard output only for '-o -'; messages go to standard error.
        'sluice help COMMAND' shows a command, 'sluice help COMMAND GROUP' a group of its options, and 'sluice help OPTION' one option wherever it is.
        Durations are 250us, 10ms, 2s, 1m, 1h, 7d. Exit status: 0 done, 1 failed, 3 lost more than --max-loss allows, \
        4 readings are unaccounted for, 64 wrong usage.
        """, version: SluicePipeline.version, commands: commands,
      elsewhere: { option in
        Self.ofOtherMachines.contains(option)
          ? "sluice reads the devices of its own machine: run it there, for example with ssh" : nil
      })
  }

  /// The options of iio_readdev that name another machine.
  private static let ofOtherMachines: Set = ["-u", "--uri", "-N", "--network", "-a", "--auto"]

  private static var commands: [any ArgumentCommand.Type] {
    [
      RecordCommand.self, ReplayCommand.self, ConvertCommand.self, InfoCommand.self, PlotCommand.self, DiffCommand.self,
      PlanCommand.self, ControlCommand.self, ListCommand.self, ServiceCommand.self,
      DoctorCommand.self, BenchCommand.self, VerifyCommand.self, RepairCommand.self, SpoolCommand.self,
    ] + senders
  }

  #if SLUICE_MQTT
    private static var senders: [any ArgumentCommand.Type] { [ResendCommand.self, LandCommand.self] }
  #elseif SLUICE_CURL
    private static var senders: [any ArgumentCommand.Type] { [ResendCommand.self] }
  #else
    private static var senders: [any ArgumentCommand.Type] { [] }
  #endif

  /// Runs the command with further kinds of source.
  public static func main(adding kinds: any SourceKind.Type...) {
    do throws(SluiceError) {
      for kind in kinds { try SourceKinds.add(kind) }
    } catch {
      Console.printLine("sluice: \(error)", .error)
      exit(ExitCode.wrongUsage.status)
    }
    main()
  }

  /// Runs the command with the arguments of the process.
  public static func main() {
    // Only for `record`, SIGHUP can mean something other than an end.
    Signals.hold(withHangUp: CommandLine.arguments.dropFirst().first == RecordCommand.name)
    StandardStreams.fill()
    limitHeap()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try run(arguments)
    } catch let fault as Fault {
      Console.printLine("sluice: \(program.explained(fault, arguments).text)", .error)
      exit(ExitCode.wrongUsage.status)
    } catch let code as ExitCode {
      exit(code.status)
    } catch {
      Console.printLine("sluice: \(error)", .error)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    // Only here, because the libraries are loaded for their versions.
    if ["version", "-V", "--version"].contains(arguments.first), arguments.count == 1 {
      return try reportingErrors { try printText("\(SluicePipeline.version) (\(libraries))\n") }
    }
    var notices: [String] = []
    let request = try program.request(arguments, notices: &notices)
    for notice in notices { Console.warn(notice) }
    switch request {
    case .nothing: try list()
    case .page(let text): try reportingErrors { try printText(text) }
    case .script(let text): try reportingErrors { try printOutput(text) }
    case .command(let command): try command.run()
    }
  }

  /// Lists the devices and what can be recorded from them.
  private static func list() throws {
    let listing = Listing(roots: DeviceRoots())
    try reportingErrors { try printText(Welcome(listing.devices).text) }
    // Without permission the devices are missing from the list.
    if !listing.failures.isEmpty { Console.warn("some devices cannot be opened; 'sluice doctor' says why") }
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
