@_spi(Preview) import SluicePipeline
import SluiceRecording
import SluiceSystem

/// What a recording needs beyond what the unit `sluice-record@` allows, and what in its plan is not for a service.
struct ServiceNeeds {
  /// Groups that may open its devices, besides gpio and iio.
  private(set) var groups: [String] = []
  /// The families of its sockets, besides AF_UNIX.
  private(set) var families: [String] = []
  /// The folders that it writes to, besides its own.
  private(set) var folders: [String] = []
  /// Whether it runs programs, which may compile code while they run.
  private(set) var runsPrograms = false
  /// Why it cannot run as a service, in sentences.
  private(set) var faults: [String] = []

  /// - Parameters:
  ///   - plan: The plan of the recording.
  ///   - folder: The folder of the service, which is the working directory of the recording.
  init(_ plan: RecordingPlan, folder: String) {
    for source in plan.sources { add(source.spec.kind.name, source.spec.what) }
    for output in plan.outputs { add(output, folder) }
    if plan.replay != nil { faults.append("it is a replay, and a service records") }
  }

  private mutating func add(_ kind: String, _ what: String) {
    switch kind {
    case "serial", "pps": add("dialout", to: \.groups)
    case "input": add("input", to: \.groups)
    case "tcp", "udp":
      for family in ["AF_INET", "AF_INET6"] { add(family, to: \.families) }
    // The state of an interface comes by netlink.
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
    if output.existing == .refuse {
      faults.append("\(path) is not appended to, so the second start would fail; record it with --append")
    }
    guard path.hasPrefix("/"), !path.hasPrefix(own + "/") else { return }
    if ["/home/", "/root/", "/run/user/"].contains(where: path.hasPrefix) {
      return faults.append("\(path) is in a folder of users, which a service does not see; give a path below \(own)")
    }
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : SluiceSystem.folder(of: path)
    add(folder.isEmpty ? "/" : folder, to: \.folders)
  }

  var isEmpty: Bool { groups.isEmpty && families.isEmpty && folders.isEmpty && !runsPrograms }

  /// The drop-in for the unit (systemd.unit(5)); nil if it needs none.
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

  /// A path in a unit file: quoted, and without specifiers.
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
