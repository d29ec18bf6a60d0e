import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The permissions that a recording needs beyond those of the unit `sluice-record@`, and the reasons why its plan
/// cannot run as a service.
struct ServiceNeeds {
  /// The groups that may open its devices, besides gpio and iio.
  private(set) var groups: [String] = []
  /// The families of its sockets, besides AF_UNIX.
  private(set) var families: [String] = []
  /// The folders to which it writes, besides the folder of the service.
  private(set) var folders: [String] = []
  /// Whether it runs programs. They may compile code while they run.
  private(set) var runsPrograms = false
  /// The reasons why the plan cannot run as a service, as sentences.
  private(set) var faults: [String] = []

  /// - Parameters:
  ///   - plan: The plan of the recording.
  ///   - folder: The folder of the service, which is the working directory of the recording.
  init(_ plan: RecordingPlan, folder: String) {
    for source in plan.sources { add(source.spec.kind.name, source.spec.what) }
    for output in plan.outputs { add(output, folder) }
    if let spool = plan.sending?.spool { addFolder(spool, folder) }
    if let spill = plan.spill?.folder { addFolder(spill, folder) }
    if plan.replay != nil { faults.append("it is a replay, and a service records") }
  }

  private mutating func add(_ kind: String, _ what: String) {
    switch kind {
    case "serial", "pps": add("dialout", to: \.groups)
    case "input": add("input", to: \.groups)
    case "tcp", "udp":
      for family in ["AF_INET", "AF_INET6"] { add(family, to: \.families) }
    // The kernel reports the state of an interface over netlink.
    case "can": for family in ["AF_CAN", "AF_NETLINK"] { add(family, to: \.families) }
    case "exec": runsPrograms = true
    case "lines" where what.split(separator: ",").first == "-":
      faults.append("lines:- reads standard input, and a service has none")
    default: break
    }
  }

  private mutating func add(_ name: String, to list: WritableKeyPath<Self, [String]>) {
    if !self[keyPath: list].contains(name) { self[keyPath: list].append(name) }
  }

  private mutating func add(_ output: OutputPlan, _ own: String) {
    let path = output.path
    if path == "-" { return faults.append("an output is standard output, which is the journal of a service") }
    // A server, which is never begun anew.
    if !OutputKinds.kind(of: path).hasFiles {
      for family in ["AF_INET", "AF_INET6"] { add(family, to: \.families) }
      return
    }
    if output.existing == .refuse {
      faults.append("\(path) is not appended to, so the second start would fail; record it with --append")
    }
    addFolder(path.hasSuffix("/") ? path : SluiceSystem.folder(of: path), own, of: path)
  }

  /// - Parameter path: What is written in it; nil for the folder itself.
  private mutating func addFolder(_ given: String, _ own: String, of path: String? = nil) {
    let path = path ?? given
    guard path.hasPrefix("/"), !path.hasPrefix(own + "/") else { return }
    if ["/home/", "/root/", "/run/user/"].contains(where: path.hasPrefix) {
      return faults.append("\(path) is in a folder of users, which a service does not see; give a path below \(own)")
    }
    add(folder: given.hasSuffix("/") ? String(given.dropLast()) : given)
  }

  private mutating func add(folder: String) {
    // What is behind a line feed would be a line of the drop-in, and systemd may run such a line as root.
    if folder.hasControlCharacters { return faults.append("\(folder) has a line feed or another control character") }
    add(folder.isEmpty ? "/" : folder, to: \.folders)
  }

  /// Adds what options beside the plan need.
  /// - Parameters:
  ///   - isServed: Whether a page is served to browsers.
  ///   - textfile: The file for node_exporter.
  ///   - program: The program for events.
  mutating func add(isServed: Bool, textfile: String?, program: String?) {
    if isServed { for family in ["AF_INET", "AF_INET6"] { add(family, to: \.families) } }
    if let textfile, textfile.hasPrefix("/") { add(folder: SluiceSystem.folder(of: textfile)) }
    if program != nil { runsPrograms = true }
  }

  var isEmpty: Bool { groups.isEmpty && families.isEmpty && folders.isEmpty && !runsPrograms }

  /// The drop-in for the unit (systemd.unit(5)); nil if the recording needs none.
  var dropIn: String? {
    guard !isEmpty else { return nil }
    var lines = ["# What this recording needs beyond sluice-record@.service.", "[Service]"]
    if !groups.isEmpty { lines.append("SupplementaryGroups=\(groups.joined(separator: " "))") }
    if !families.isEmpty {
      lines.append("RestrictAddressFamilies=\(families.joined(separator: " "))")
      if families.contains("AF_INET") { lines.append("IPAddressDeny=") }
    }
    if runsPrograms { lines.append("MemoryDenyWriteExecute=no") }
    for folder in folders { lines.append("ReadWritePaths=\(Self.quoted(folder))") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A path for a unit file, with quotes and without specifiers.
  private static func quoted(_ path: String) -> String {
    var text = "\""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "%": text += "%%"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
