import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// The sensors and converters of the kernel's industrial I/O, and their triggers.
struct IIODeviceKind: DeviceKind {
  let name = "iio"
  let title = "IIO"
  let sources: [any SourceKind.Type] = [IIOSource.self, IIOEventsSource.self, PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { IIOListing(roots) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    IIODevice.ids(roots: surroundings.roots).flatMap { id -> [DeviceFile] in
      let folder = folder(id, surroundings)
      // A device without a buffer has no device file, or one that gives no scans.
      guard let buffer = Self.buffers.first(where: { surroundings.exists("\(folder)/\($0)/enable") }) else { return [] }
      return [.read("\(surroundings.roots.dev)/\(id)"), .written("\(folder)/\(buffer)/enable")]
    }
  }

  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    kernel(surroundings) + leftovers(surroundings, restore: restore)
  }

  func name(of source: any SourceKind) -> String? { (source as? IIOSource)?.device.text }

  /// The folder of a buffer, by its names in newer and older kernels.
  private static let buffers = ["buffer0", "buffer"]

  private func folder(_ id: String, _ surroundings: Surroundings) -> String {
    "\(surroundings.roots.sys)/bus/iio/devices/\(id)"
  }

  // MARK: Findings

  func kernel(_ surroundings: Surroundings) -> [Finding] {
    let devices = IIODevice.ids(roots: surroundings.roots)
    guard !devices.isEmpty else {
      return [
        .warning(
          DeviceCheck.kernel, "there is no IIO device: nothing for --\(IIOSource.name)",
          "load the driver of the sensor: on a Raspberry Pi, with a dtoverlay line in /boot/firmware/config.txt")
      ]
    }
    return [buffers(of: devices, surroundings), triggers(surroundings)]
  }

  private func buffers(of devices: [String], _ surroundings: Surroundings) -> Finding {
    let buffered = devices.filter { id in
      Self.buffers.contains { surroundings.exists("\(folder(id, surroundings))/\($0)") }
    }
    guard !buffered.isEmpty else {
      return .warning(
        DeviceCheck.kernel, "no IIO device has a buffer: their files can be polled, but scans cannot be recorded",
        "a kernel with CONFIG_IIO_BUFFER, and a driver that has one")
    }
    return .ok(DeviceCheck.kernel, "IIO buffers of \(buffered.joined(separator: ", "))")
  }

  /// Checks that triggers can be made: Documentation/iio/iio_configfs.rst.
  private func triggers(_ surroundings: Surroundings) -> Finding {
    let check = DeviceCheck.kernel
    let configfs = "\(surroundings.roots.sys)/kernel/config"
    if surroundings.exists("\(configfs)/iio/triggers/hrtimer") {
      return .ok(check, "IIO triggers of any rate can be made (iio-trig-hrtimer)")
    }
    let meaning = "no IIO trigger can be made: only those of the devices can start scans"
    guard surroundings.exists("\(configfs)/iio") else {
      return .warning(
        check, meaning, "sudo modprobe iio-trig-hrtimer; sudo mount -t configfs none \(configfs), if it is empty")
    }
    return .warning(check, meaning, "sudo modprobe iio-trig-hrtimer")
  }

  /// Devices that still have the settings of a killed recording.
  func leftovers(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    let check = "leftovers"
    let roots = surroundings.roots
    let leftovers = restore ? IIOState.restoreAll(roots: roots) : IIOState.leftovers(roots: roots)
    var findings = leftovers.map { state -> Finding in
      let meaning = "\(state) is as a killed recording left it"
      guard restore else { return .warning(check, meaning, "sluice doctor --restore, or record from it again") }
      guard var failure = state.failure else {
        return .ok(check, "\(state) was as a killed recording left it, and has been put back")
      }
      let remedy = failure.remedy ?? "sluice doctor --restore once more; dmesg may say what its driver met with"
      failure.remedy = nil
      return .problem(check, "\(meaning): \(failure)", remedy)
    }
    // The buffers that another program has enabled.
    for id in IIODevice.ids(roots: roots) where !leftovers.contains(where: { $0.device == id }) {
      let files = Self.buffers.map { "\(folder(id, surroundings))/\($0)/enable" }
      guard let file = files.first(where: { Surroundings.word($0) == "1" }) else { continue }
      findings.append(
        .warning(
          check, "the buffer of \(id) is enabled: a program is reading it, or one was killed",
          "if no program is reading it: echo 0 > \(file)"))
    }
    return findings.isEmpty ? [.ok(check, "no IIO device is as a killed recording left it")] : findings
  }

  // MARK: Rates

  /// Tries one rate after the other. After each run the device has its old rate again.
  func measure(_ source: SourceSpec, _ benchmark: DeviceBenchmark) throws -> FurtherMeasurement {
    // If the user gives a rate, only that one is measured.
    guard let scans = source.source as? IIOSource, source.settings.sampleRate == nil,
      let rate = try IIODevice.find(scans.device.device, roots: benchmark.roots).samplingRate(
        trigger: source.settings.triggerName.name, roots: benchmark.roots)
    else { return FurtherMeasurement() }
    var ladder = RateLadder(rate)
    var section = BenchSection(
      key: "iio_rates", title: "IIO rates", measurements: [],
      notes: ["missing scans were lost in the FIFO only where it was full; otherwise they were never taken"])
    while let rate = ladder.current {
      var source = source
      source.settings.sampleRate = rate
      let opened: [Source]
      do {
        opened = try benchmark.open(source)
      } catch {
        section.notes.append("\(scans.device.text) is not tried any faster: \(error)")
        break
      }
      let time = TimeSpan(nanoseconds: min(benchmark.duration.nanoseconds, 1_000_000_000))
      let run = try benchmark.record(opened, for: time)
      section.measurements.append(row("\(scans.device.text) \(rate) Hz", run))
      ladder.report(lost: run.lost > 0)
    }
    let highest = Figure(
      "highest_hz_without_loss", "highest rate without loss, Hz", ladder.highest.flatMap(RateLadder.number), decimals: 3
    )
    return FurtherMeasurement(figures: [highest], section: section)
  }

  private func row(_ name: String, _ run: DeviceRun) -> Measurement {
    Measurement(
      name: name,
      figures: [
        Figure("scans_per_second", "scans/s", run.rate),
        Figure("missing", "missing", run.lost),
        Figure("cpu_us_per_scan", "CPU us per scan", run.cpuPerReading, decimals: 2),
        Figure("fifo", "FIFO", run.fifo?.capacity),
        Figure("highest", "peak fill", run.fifo?.highest),
      ])
  }
}

private struct IIOListing: DeviceListing {
  private var all: [(device: IIODevice, rate: IIOSamplingRate?)] = []
  private let triggers: [String]
  private(set) var failures: [SluiceError] = []

  init(_ roots: DeviceRoots) {
    triggers = IIOTriggers.names(roots: roots)
    for id in IIODevice.ids(roots: roots) {
      do throws(SluiceError) {
        let device = try IIODevice.find(id, roots: roots)
        all.append((device, device.samplingRate(roots: roots)))
      } catch {
        failures.append(error)
      }
    }
  }

  var blocks: [[String]] {
    all.map(block) + (triggers.isEmpty ? [] : [["triggers: \(triggers.joined(separator: ", "))"]])
  }

  var devices: [ListedDevice] {
    zip(all, uniqueNames(all.map { (name: $0.device.name, id: $0.device.id) })).map { entry, name in
      let device = entry.device
      let channels = device.channels.isEmpty ? "no buffer" : count(device.channels.count, "channel")
      return ListedDevice(
        name: device.id, what: "\(device.name), \(channels)",
        source: source(device, name))
    }
  }

  /// A source that can be recorded at once. Without a trigger no scan begins.
  private func source(_ device: IIODevice, _ name: String) -> String? {
    // These characters would end the name in a source.
    guard !name.contains(where: { $0 == "," || $0 == "=" || $0 == ":" }) else { return nil }
    let needsTrigger = device.takesTrigger && device.trigger == nil
    if !device.channels.isEmpty, !needsTrigger { return "iio:\(name)" }
    if !device.channels.isEmpty, let trigger = triggers.first { return "iio:\(name),trigger=\(trigger)" }
    return polledChannels(device).first.map { "poll:iio:\(name):\($0)@1s" }
  }

  var sources: [ListedSource] {
    let names = uniqueNames(all.map { (name: $0.device.name, id: $0.device.id) })
    return zip(all, names).flatMap { entry, name -> [ListedSource] in
      let device = entry.device
      let aliases = [name, device.id, device.name] + (device.label.map { [$0] } ?? [])
      let channels = device.channels.map { ListedSource.Part(name: $0.name, what: $0.unit ?? "channel") }
      let events = device.events().map { event in
        ListedSource.Part(name: event.name, what: event.value.map { "at \($0)" } ?? "event")
      }
      var sources: [ListedSource] = []
      if !channels.isEmpty {
        sources.append(ListedSource(IIOSource.self, aliases, count(channels.count, "channel"), channels))
      }
      if !events.isEmpty {
        sources.append(ListedSource(IIOEventsSource.self, aliases, count(events.count, "event"), events))
      }
      for channel in polledChannels(device) {
        sources.append(ListedSource(PolledSource.self, ["iio:\(name):\(channel)"], device.id))
      }
      return sources
    }
  }

  var members: [(String, JSON)] {
    [("iio", .array(all.map(json))), ("triggers", .array(triggers.map { .string($0) }))]
  }

  /// The channels that can be polled. A channel may have a raw value and a scaled one.
  private func polledChannels(_ device: IIODevice) -> [String] {
    var channels: [String] = []
    for path in device.inputs {
      let file = fileName(of: path)
      let ending = ["_raw", "_input"].first { file.hasSuffix($0) } ?? ""
      let channel = String(file.dropFirst("in_".count).dropLast(ending.count))
      if !channels.contains(channel) { channels.append(channel) }
    }
    return channels
  }

  private func block(_ device: IIODevice, rate: IIOSamplingRate?) -> [String] {
    var title = "\(device.id) [\(device.name)]"
    if let label = device.label { title += " label \(label)" }
    title += device.channels.isEmpty ? ", no buffer" : ", \(count(device.channels.count, "channel"))"
    if device.hasTimestamp { title += ", timestamp" }
    if let trigger = device.trigger {
      title += ", trigger \(trigger)"
    } else if device.takesTrigger {
      title += ", no trigger (the key trigger)"
    }
    var lines = [title]
    if let rate {
      lines.append("  rate \(rate.current) Hz" + (rate.available.map { ", available: \($0)" } ?? ""))
    }
    if !device.channels.isEmpty {
      let rows = device.channels.map { ["  \($0.name)", $0.unit ?? "-", $0.format, text($0.scale), text($0.offset)] }
      lines += table([["  channel", "unit", "format", "scale", "offset"]] + rows, numbers: { $0 > 2 })
    }
    lines += device.events().map { event in
      "  event \(event.name)" + (event.value.map { " at \($0)" } ?? "") + (event.isEnabled ? ", enabled" : "")
    }
    return lines + device.inputs.map { "  poll \($0)" }
  }

  private func json(_ device: IIODevice, rate: IIOSamplingRate?) -> JSON {
    let channels = device.channels.map {
      JSON.object([
        ("name", .string($0.name)), ("index", JSON($0.index)), ("unit", JSON($0.unit)), ("format", .string($0.format)),
        ("scale", json($0.scale)), ("offset", json($0.offset)),
      ])
    }
    let events = device.events().map {
      JSON.object([("name", .string($0.name)), ("value", JSON($0.value)), ("enabled", .bool($0.isEnabled))])
    }
    return .object([
      ("id", .string(device.id)), ("name", .string(device.name)), ("label", JSON(device.label)),
      ("trigger", JSON(device.trigger)), ("timestamp", .bool(device.hasTimestamp)),
      ("sampling_frequency", JSON(rate?.current)), ("sampling_frequency_available", JSON(rate?.available)),
      ("channels", .array(channels)), ("events", .array(events)), ("inputs", .array(device.inputs.map { .string($0) })),
    ])
  }
}
