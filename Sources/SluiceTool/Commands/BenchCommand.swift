import SluiceArguments
import SluicePipeline
import SluiceReadings

struct BenchCommand: ArgumentCommand {
  static let firstOptions: [String]? = []

  static let name = "bench"
  static let summary = "Measure what this machine can do: streams, CSV, spill, disk, timer, and devices."
  static let discussion = """
    Example: sluice bench gpio:gpiochip0:3,4

    Each source is recorded as by 'sluice record', but to /dev/null. If the rate of an IIO device can be set, higher \
    and higher rates are tried until scans are missing; then its own rate is restored.
    """

  var only: BenchParts?
  var duration: TimeSpan?
  var outputDirectory: String?
  var diskSize: ByteSize?
  var timerInterval: RepeatedTime?
  var json = false
  var sources: [String] = []
  var gpio: [String] = []
  var iio: [String] = []
  var settings = SettingOptions()

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "only", "PART[,PART...]", "Measure only some: \(BenchPart.allCases.map(\.rawValue).joined(separator: ",")).",
        \.only),
      .option("duration", "T", "How long each part takes. (default: 1s, and 5s per device)", \.duration),
      .option(
        "output-directory", "DIR", "Whose disk to measure. (default: this folder)", \.outputDirectory,
        completion: .folders),
      .option("disk-size", "SIZE", "Write at most so much to the disk at a time. (default: 64M)", \.diskSize),
      .option("timer-interval", "T", "Measure a timer of this period. (default: 1ms)", \.timerInterval),
      .flag("json", "Print JSON.", \.json),
      .argument(
        "source", "Sources to measure as well: any that 'sluice record' takes, as [NAME=]KIND:WHAT[,key=value...].",
        \.sources, isNeeded: false, completion: .source, notice: RoundedRate.noticesOfSource),
      .old(GPIOSource.self, \.gpio),
      .old(IIOSource.self, \.iio),
      .group("Keys, behind sources that have them", \.settings),
    ]
  }

  /// An hour, in nanoseconds.
  private static let longest: Int64 = 3_600_000_000_000

  func validate() throws {
    if let duration, duration.nanoseconds > Self.longest { throw Fault("--duration takes at most 1h") }
    if let timerInterval = timerInterval?.time,
      timerInterval.nanoseconds < 1_000 || timerInterval.nanoseconds > Self.longest
    {
      throw Fault("--timer-interval takes 1us to 1h")
    }
    if outputDirectory == "" { throw Fault("--output-directory takes a folder") }
    // An argument without KIND may be the value of a misspelt option, which is reported later.
    if sources.allSatisfy({ $0.contains(":") }) { try settings.check(for: devices().map(\.spec)) }
    guard let parts = only?.parts else { return }
    if parts.contains(.devices), !hasDevices {
      throw Fault("say what to record, such as \(Self.examples); 'sluice list' shows the devices")
    }
    if !parts.contains(.devices), hasDevices {
      throw Fault("sources are measured by the part devices, which --only leaves out")
    }
    let unused: [(String, Bool)] = [
      ("--output-directory", outputDirectory != nil && !writes),
      ("--disk-size", diskSize != nil && !parts.contains(.disk)),
      ("--timer-interval", timerInterval != nil && !parts.contains(.timer)),
    ]
    if let option = unused.first(where: \.1)?.0 {
      throw Fault("\(option) is for a part that --only leaves out; leave out one of them")
    }
  }

  /// A source of each kind of device that has one.
  private static var examples: String {
    var examples: [String] = []
    for source in DeviceKinds.all.compactMap(\.sources.first) {
      let example = "\(source.name):\(source.example)"
      if !examples.contains(example) { examples.append(example) }
    }
    return examples.joined(separator: " or ")
  }

  private var directory: String { outputDirectory ?? "." }

  private var hasDevices: Bool { !(sources.isEmpty && gpio.isEmpty && iio.isEmpty) }

  /// The devices in the order in which they are measured: as in a recording, those without an option come first.
  private func devices() throws -> [BenchSource] {
    var devices: [BenchSource] = []
    devices += try sources.map { try BenchSource($0) }
    for (kind, texts) in [(GPIOSource.self, gpio), (IIOSource.self, iio)] as [(any SourceKind.Type, [String])] {
      devices += try texts.map { try BenchSource($0, of: kind) }
    }
    for index in devices.indices {
      devices[index].spec.settings = devices[index].spec.settings.or(settings.settings)
    }
    return devices
  }

  /// Whether a part writes to the disk.
  private var writes: Bool { parts.contains { [.csv, .spill, .disk].contains($0) } }

  /// The parts in the order in which they are measured.
  var parts: [BenchPart] {
    BenchPart.allCases.filter { part in
      only?.parts.contains(part) ?? (part != .devices || hasDevices)
    }
  }

  func run() throws {
    try reportingErrors {
      let interruption = Interruption()
      let signals = Signals { signal in
        if signal == .stop { interruption.raise() }
      }
      defer { signals.cancel() }
      try check()
      let machine = Machine.current()
      if !json { try printOutput(machine.line + "\n") }
      var members = [machine.json]
      // The finished measurements are printed even if a later one fails.
      let end = Result {
        for part in parts {
          var sections: [BenchSection] = []
          let end = Result { try measure(part, interruption, into: &sections) }
          members += sections.map(\.json)
          if !json { try printText(sections.map { $0.text + "\n" }.joined()) }
          try end.get()
        }
      }
      if json { try printOutput("{\(members.joined(separator: ", "))}\n") }
      try end.get()
    }
  }

  /// Checks the folder and the sources first, because a failure after minutes of measurements would come late.
  private func check() throws {
    if writes { _ = try ScratchFile(in: directory) }
    if parts.contains(.devices) {
      _ = try SourceSpec.open(
        devices().map(\.spec),
        SourceContext(roots: settings.roots, tell: { if let text = $0.text { Console.warn(text) } }))
    }
  }

  private func measure(_ part: BenchPart, _ interruption: Interruption, into sections: inout [BenchSection]) throws {
    if Console.showsLiveLine(besides: ["-"]) { Console.show("measuring \(part.rawValue)...") }
    defer { Console.show("") }
    let duration = duration ?? TimeSpan(nanoseconds: part == .devices ? 5_000_000_000 : 1_000_000_000)
    switch part {
    case .streams:
      sections = [try StreamsBenchmark(duration: duration, interruption: interruption).run()]
    case .csv:
      sections = [try CSVBenchmark(duration: duration, directory: directory, interruption: interruption).run()]
    case .spill:
      sections = [try SpillBenchmark(duration: duration, directory: directory, interruption: interruption).run()]
    case .disk:
      sections = [
        try DiskBenchmark(
          duration: duration, size: diskSize ?? ByteSize(bytes: 64 << 20), directory: directory,
          interruption: interruption
        ).run()
      ]
    case .timer:
      sections = [
        try TimerBenchmark(
          duration: duration, interval: timerInterval?.time ?? TimeSpan(nanoseconds: 1_000_000),
          interruption: interruption
        ).run()
      ]
    case .devices:
      try DeviceBenchmark(
        sources: devices(), roots: settings.roots, duration: duration, interruption: interruption
      ).run(into: &sections)
    }
  }
}
