import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// GPIO chips and their lines.
struct GPIOChipKind: DeviceKind {
  let name = "gpio"
  let title = "GPIO"
  let sources: [any SourceKind.Type] = [GPIOSource.self, GPIONameSource.self, GPIOValuesSource.self]

  /// The version of libgpiod; nil if it is not there.
  var library = GPIOChips.libraryVersion

  func list(_ roots: DeviceRoots) -> any DeviceListing { GPIOListing(roots) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    GPIOChips.paths(root: surroundings.roots.dev).map(DeviceFile.readAndWritten)
  }

  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    kernel(surroundings) + libraries() + busyLines(GPIOChips.list(root: surroundings.roots.dev))
  }

  func name(of source: any SourceKind) -> String? { (source as? GPIOSource)?.device.text }

  // MARK: Findings

  /// Checks that the kernel has the GPIO interface that the library needs.
  func kernel(_ surroundings: Surroundings) -> [Finding] {
    let check = DeviceCheck.kernel
    let chips = GPIOChips.paths(root: surroundings.roots.dev)
    guard !chips.isEmpty else {
      let devices = "\(surroundings.roots.sys)/bus/gpio/devices"
      if surroundings.exists("\(devices)/gpiochip0") {
        return [
          .problem(
            check, "there are GPIO chips (\(devices)) without device files",
            "the kernel needs CONFIG_GPIO_CDEV, and /dev a devtmpfs")
        ]
      }
      return [
        .warning(
          check, "there is no GPIO chip: nothing for --\(GPIOSource.name)",
          "load the driver of the chip")
      ]
    }
    guard let versions = chips.lazy.compactMap(surroundings.interfaceVersions).first else {
      let release = Surroundings.word("\(surroundings.proc)/sys/kernel/osrelease") ?? "unknown"
      return [
        .warning(
          check,
          "no GPIO chip could be asked; Linux \(release) has \(hasV2(release) ? "" : "not yet ")GPIO interface v2",
          "see permissions")
      ]
    }
    let known = "GPIO interface " + versions.map { "v\($0)" }.joined(separator: " and ")
    guard let library, let major = library.split(separator: ".").first.flatMap({ Int($0) }) else {
      return [.ok(check, known)]
    }
    if versions.contains(major) { return [.ok(check, "\(known): libgpiod \(library) needs v\(major)")] }
    let remedy =
      major == 1 ? "the kernel needs CONFIG_GPIO_CDEV_V1, or build with libgpiod 2" : "the kernel must be 5.10 or newer"
    return [
      .problem(
        check, (versions.isEmpty ? "no GPIO interface" : known) + ", but libgpiod \(library) needs v\(major)", remedy)
    ]
  }

  /// Version 2 of the GPIO interface came with Linux 5.10.
  private func hasV2(_ release: String) -> Bool {
    let numbers = release.split { !$0.isNumber }.prefix(2).map { Int($0) ?? 0 }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 10)
  }

  /// Checks the features of the installed libgpiod.
  func libraries() -> [Finding] {
    let check = "libgpiod"
    guard let library else {
      return [
        .warning(
          check, "libgpiod is not installed: no --\(GPIOSource.name)",
          "apt install libgpiod3 on Debian 13, or libgpiod2 on Debian 12; a build with SLUICE_GPIO=0 has no GPIO")
      ]
    }
    if library.hasPrefix("1.") {
      return [
        .warning(
          check,
          "version \(library): no debounce, event clock, FIFO size or sequence numbers, 16 edges are kept per line",
          "Debian 13 has version 2")
      ]
    }
    return [.ok(check, "version \(library): debounce, event clock, FIFO size, sequence numbers")]
  }

  /// The lines that programs use: only one program at a time can have a line.
  func busyLines(_ chips: [GPIOChipInfo]) -> [Finding] {
    let check = "busy lines"
    let busy = chips.compactMap { chip -> Finding? in
      let lines = chip.lines.compactMap { line in
        line.consumer.map { "\(line.offset)\(line.name.map { " \($0)" } ?? "") (\($0))" }
      }
      guard !lines.isEmpty else { return nil }
      return .ok(
        check, "\(chip.name): \(lines.joined(separator: ", "))",
        "they cannot be recorded while the one in parentheses has them")
    }
    return busy.isEmpty && !chips.isEmpty ? [.ok(check, "none: every line can be recorded")] : busy
  }
}

struct GPIOListing: DeviceListing {
  private(set) var chips: [GPIOChipInfo] = []
  private(set) var failures: [SluiceError] = []

  init(chips: [GPIOChipInfo]) { self.chips = chips }

  init(_ roots: DeviceRoots) {
    for path in GPIOChips.paths(root: roots.dev) {
      do throws(SluiceError) { chips.append(try GPIOChips.info(path: path)) } catch { failures.append(error) }
    }
  }

  var blocks: [[String]] {
    chips.map { chip in
      let rows = chip.lines.map { line in
        [
          "  \(line.offset)", line.name ?? "-", line.isOutput ? "output" : "input", line.bias.rawValue,
          line.isActiveLow ? "active low" : "active high", line.consumer ?? "-",
        ]
      }
      return ["\(chip.name) [\(chip.label)] \(count(chip.lines.count, "line"))"]
        + table([["  line", "name", "direction", "bias", "polarity", "used by"]] + rows)
    }
  }

  /// The chips. The source of a chip is a free line with a name, if there is one, because it is wired to something.
  var devices: [ListedDevice] {
    chips.map { chip in
      let free = chip.lines.filter { $0.consumer == nil && !$0.isOutput }
      let line = free.first { $0.name != nil } ?? free.first
      return ListedDevice(
        name: chip.name, what: count(chip.lines.count, "line"),
        source: line.map { "gpio:\(chip.name):\($0.offset)" })
    }
  }

  /// The lines that no program uses, by name and by number.
  var sources: [ListedSource] {
    var sources: [ListedSource] = []
    for chip in chips {
      let free = chip.lines.filter { $0.consumer == nil && !$0.isOutput }
      let named = free.filter { line in
        line.name.map { name in !name.isEmpty && chip.lines.filter { $0.name == name }.count == 1 } ?? false
      }
      let parts =
        named.map { ListedSource.Part(name: $0.name ?? "", what: "line \($0.offset)") }
        + free.map { ListedSource.Part(name: "\($0.offset)", what: $0.name ?? "line") }
      guard !parts.isEmpty else { continue }
      let what = "\(chip.label), \(count(chip.lines.count, "line"))"
      for kind in [GPIOSource.self, GPIOValuesSource.self] as [any SourceKind.Type] {
        sources.append(ListedSource(kind, [chip.name, chip.label], what, parts))
      }
      sources += named.map {
        ListedSource(GPIONameSource.self, [$0.name ?? ""], "\(chip.name) line \($0.offset)")
      }
    }
    return sources
  }

  var members: [(String, JSON)] { [("gpio", .array(chips.map(json)))] }

  private func json(_ chip: GPIOChipInfo) -> JSON {
    let lines = chip.lines.map { line in
      JSON.object([
        ("offset", JSON(Int(line.offset))), ("name", JSON(line.name)), ("consumer", JSON(line.consumer)),
        ("direction", .string(line.isOutput ? "output" : "input")), ("active_low", .bool(line.isActiveLow)),
        ("bias", .string(line.bias.rawValue)),
      ])
    }
    return .object([
      ("name", .string(chip.name)), ("path", .string(chip.path)), ("label", .string(chip.label)),
      ("lines", .array(lines)),
    ])
  }
}
