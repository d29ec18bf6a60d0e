import Foundation
import SluiceDevices
import XCTest

/// libgpiod's gpiomon, on lines of one chip.
struct GPIOMon {
  struct Edge: Hashable {
    let line: Int
    let isRising: Bool
    /// In nanoseconds, by the clock of the events.
    let time: Int64
  }

  static let isOld = GPIOChips.libraryVersion?.hasPrefix("1.") == true
  private let process: ChildProcess
  private let chip: SimulatedChip
  private let lines: [Int]
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("gpiomon-\(UUID().uuidString)")

  init(_ chip: SimulatedChip, lines: [Int], _ options: GPIOOptions) throws {
    (self.chip, self.lines) = (chip, lines)
    // Version 1 says 0 for a falling edge, version 2 says 2.
    let format = Self.isOld ? ["--line-buffered", "--format=%o %e %s.%n"] : ["--format=%o %e %S"]
    let place = Self.isOld ? [chip.name] : ["--chip", chip.name]
    let arguments = Self.settings(options) + format + place + lines.map { String($0) }
    process = ChildProcess("/usr/bin/gpiomon", arguments, output: file.path)
  }

  /// As gpiomon of this version has them.
  private static func settings(_ options: GPIOOptions) -> [String] {
    var settings: [String] = []
    if options.isActiveLow { settings.append("--active-low") }
    if options.bias != .asIs {
      settings.append("--bias=\(isOld && options.bias == .disabled ? "disable" : options.bias.rawValue)")
    }
    if options.edges != .both {
      settings.append(isOld ? "--\(options.edges.rawValue)-edge" : "--edges=\(options.edges.rawValue)")
    }
    if let debounce = options.debounce { settings.append("--debounce-period=\(debounce)us") }
    if options.clock != .monotonic { settings.append("--event-clock=\(options.clock.rawValue)") }
    return settings
  }

  func waitForRequest() {
    waitUntil("gpiomon's request") {
      guard let all = try? GPIOChips.info(path: chip.path).lines else { return false }
      return lines.allSatisfy { all[$0].consumer?.contains("gpiomon") == true }
    }
  }

  /// In the order in which gpiomon told.
  func edges() -> [Edge] {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { row in
      let numbers = row.split { $0 == " " || $0 == "." }.compactMap { Int64($0) }
      guard numbers.count == 4 else { return nil }
      return Edge(line: Int(numbers[0]), isRising: numbers[1] == 1, time: numbers[2] * 1_000_000_000 + numbers[3])
    }
  }

  /// Of each line, in the order of their numbers, whether its edges rose.
  func levels() -> [[Bool]] {
    let all = edges()
    return lines.sorted().map { line in all.filter { $0.line == line }.map(\.isRising) }
  }

  func end() {
    process.wait(after: SIGTERM)
    try? FileManager.default.removeItem(at: file)
  }
}
