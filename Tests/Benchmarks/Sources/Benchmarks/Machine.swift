import Foundation
import SluiceSystem

/// Where and when it was measured.
struct Machine: Codable {
  let processor: String
  let cores: Int
  let system: String
  let kernel: String
  let swift: String
  let date: String
  /// Programs that wanted to run while this one was about to start: above 1 figures are doubtful.
  let load: Double

  init(swift: String) {
    processor = Self.value(of: "model name", in: "/proc/cpuinfo", separator: ":")
    cores = ProcessInfo.processInfo.processorCount
    system = Self.value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")
    let text = { (path: String) in (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    kernel = text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
    self.swift = swift
    date = ISO8601DateFormatter().string(from: Date())
    load = Double(text("/proc/loadavg").prefix { $0 != " " }) ?? 0
  }

  private static func value(of key: String, in path: String, separator: Character) -> String {
    let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix(key) }), let start = line.firstIndex(of: separator) else {
      return "unknown"
    }
    return line[line.index(after: start)...].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
  }

  var line: String {
    "\(processor), \(cores) cores, \(system), Linux \(kernel), Swift \(swift), \(date), load \(load)"
  }
}
