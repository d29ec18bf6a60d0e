import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings

struct DoctorCommand: ArgumentCommand {
  static let name = "doctor"
  static let summary = "Show what prevents this machine from recording, and the remedy."
  static let discussion = """
    Examples: sluice doctor --output-directory /mnt/data
              sluice doctor 'http://127.0.0.1:8086/write?db=plant'
              sluice doctor mqtts://broker.example/plant

    Takes about a second, most of it for disk and timer. Exit status: 0 if there is no problem, 1 otherwise.
    """

  #if SLUICE_CURL
    var url: String?
    var probe = false
    var server: [ServerArgument] = []
  #endif

  var outputDirectory: String?
  var restore = false
  var json = false
  var root = ""

  static var rows: [ArgumentRow<Self>] {
    let rows: [ArgumentRow<Self>] = [
      .option(
        "output-directory", "DIR", "Where recordings are to go. (default: this folder)", \.outputDirectory,
        completion: .folders),
      .flag(
        "restore",
        "Restore the settings of IIO devices that a killed recording has changed. Check devices only, and measure nothing.",
        \.restore),
      .flag("json", "Print JSON.", \.json),
      .option("root", "DIR", "Where sys, dev, proc, run and etc are, for a fixture.", \.root, completion: .folders),
    ]
    return serverRows + rows
  }

  private static var serverRows: [ArgumentRow<Self>] {
    #if SLUICE_CURL
      [
        .argument(
          "URL",
          "Check this server instead, with an address as -o takes it: whether it answers, what it is, and whether this board may write. Nothing is stored.",
          \.url),
        .flag(
          "probe",
          "With URL: write one point, sluice_probe, or publish one empty message, to see that the server takes it.",
          \.probe),
        .option(
          "server", "KEY=VALUE", "With URL: a setting of the server, the same as in 'sluice record'; can be repeated.",
          \.server),
      ]
    #else
      []
    #endif
  }

  func validate() throws {
    if restore, outputDirectory != nil {
      throw Fault("--restore looks at devices only; leave out --output-directory")
    }
    #if SLUICE_CURL
      if url == nil, probe || !server.isEmpty {
        throw Fault(
          "--probe and --server are for a server; give its URL: doctor 'http://HOST/write?db=NAME', or mqtt://HOST/TOPIC"
        )
      }
      if url != nil, restore || outputDirectory != nil {
        throw Fault(
          "with a URL, doctor looks at this server only; leave out --restore and --output-directory")
      }
      _ = try sending
    #endif
    if outputDirectory == "" { throw Fault("--output-directory takes a folder") }
  }

  func run() throws {
    #if SLUICE_CURL
      if let url {
        return try reportingErrors {
          let findings = try self.findings(url)
          try Finding.print(findings, json: json)
          if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
        }
      }
    #endif
    let surroundings = Surroundings.current(root: root)
    let findings = restore ? DeviceCheck.findings(surroundings, restore: true) : all(surroundings)
    try reportingErrors { try Finding.print(findings, json: json) }
    if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode(1) }
  }

  #if SLUICE_CURL
    private func findings(_ url: String) throws -> [Finding] {
      #if SLUICE_MQTT
        if BrokerCheck.isBroker(url) { return try BrokerCheck.findings(url, try sending, writes: probe) }
      #else
        if url.lowercased().hasPrefix("mqtt") {
          throw SluiceError(
            .unsupported, "check", url, because: "this sluice was built without libmosquitto (SLUICE_MQTT=0)",
            remedy: "build it without that setting")
        }
      #endif
      return try ServerCheck.findings(url, try sending, writes: probe)
    }

    private var sending: SendingPlan {
      get throws {
        var plan = SendingPlan()
        for setting in server {
          do throws(Fault) { try plan.set(setting.key, to: setting.value) } catch {
            throw Fault("--server \(error.description)")
          }
        }
        return plan
      }
    }
  #endif

  private func all(_ surroundings: Surroundings) -> [Finding] {
    let interruption = Interruption()
    let signals = Signals { signal in
      if signal == .stop { interruption.raise() }
    }
    defer { signals.cancel() }
    return PermissionCheck.findings(surroundings) + GroupCheck.findings(surroundings)
      + DeviceCheck.findings(surroundings, restore: false)
      + DiskCheck.findings(surroundings, outputDirectory ?? ".", interruption: interruption)
      + ClockCheck.findings(surroundings, interruption: interruption)
  }
}
