import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The machine of the figures.
struct Machine: Equatable {
  var model: String
  var cores: Int
  var kernel: String
  var version: String
  /// Figures of an unoptimised build say nothing about speed.
  var isOptimized: Bool

  /// - Parameter root: The folder of proc.
  static func current(root: String = "/") -> Machine {
    #if DEBUG
      let isOptimized = false
    #else
      let isOptimized = true
    #endif
    return Machine(
      model: model(deviceTree: contents("\(root)/proc/device-tree/model"), cpuinfo: contents("\(root)/proc/cpuinfo")),
      cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      kernel: Host.current.kernel,
      version: SluicePipeline.version, isOptimized: isOptimized)
  }

  /// The model from the device tree of a board; for other machines, the name of the CPU.
  static func model(deviceTree: String?, cpuinfo: String?) -> String {
    if let board = deviceTree?.prefix(while: { $0 != "\0" }), !board.isEmpty { return String(board) }
    for line in (cpuinfo ?? "").split(separator: "\n") where line.hasPrefix("model name") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      return String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return "unknown machine"
  }

  var line: String {
    "sluice \(version)\(isOptimized ? "" : ", debug build: its figures mean nothing")\n"
      + "\(model), \(cores) \(cores == 1 ? "core" : "cores"), \(kernel)\n"
  }

  var json: String {
    """
    "machine": {"model": \(quoted(model)), "cores": \(cores), "kernel": \(quoted(kernel)), \
    "sluice": \(quoted(version)), "optimized": \(isOptimized)}
    """
  }

  /// The beginning of a file, which names the machine; nil if it cannot be read.
  private static func contents(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    guard let descriptor = try? openFile(path, O_RDONLY) else { return nil }
    defer { closeFile(descriptor) }
    guard let count = try? readBytes(descriptor, into: &bytes) else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
