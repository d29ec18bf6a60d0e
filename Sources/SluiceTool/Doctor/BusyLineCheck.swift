import SluiceDevices

/// Lines that somebody has: the kernel lends each to one at a time.
enum BusyLineCheck {
  static let name = "busy lines"

  static func findings(_ chips: [GPIOChipInfo]) -> [Finding] {
    let busy = chips.compactMap { chip -> Finding? in
      let lines = chip.lines.compactMap { line in
        line.consumer.map { "\(line.offset)\(line.name.map { " \($0)" } ?? "") (\($0))" }
      }
      guard !lines.isEmpty else { return nil }
      return .ok(
        name, "\(chip.name): \(lines.joined(separator: ", "))",
        "they cannot be recorded while the one in parentheses has them")
    }
    return busy.isEmpty && !chips.isEmpty ? [.ok(name, "none: every line can be recorded")] : busy
  }
}
