import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// What is asked of an IIO device's buffer.
public struct IIOOptions: Hashable, Sendable {
  /// In Hz, as sysfs takes it; nil leaves it alone.
  public var samplingFrequency: String?
  /// The name of the trigger to use; nil leaves it alone.
  public var trigger: String?
  /// Makes the trigger first, one that fires by a timer of the kernel's, and removes it in the end.
  public var makesTrigger = false
  /// Scans that the kernel keeps; by default those of two seconds, and no fewer than 1,024.
  public var length: Int?
  /// Scans that must have gathered before they are read; by default those of ``latency``.
  public var watermark: Int?
  /// How long scans may gather before they are read, in nanoseconds; nil means 50 ms where the rate is known.
  public var latency: Int64?
  /// Describes the channels in units of the SI, where the kernel's are others.
  public var inSI = false

  public init() {}
}

/// A device set up for capture: everything that was changed is put back in reverse order, also when a step fails.
final class IIOCapture: IIOChangedDevice, IIOSession {
  let channels: [IIOChannel]
  let layout: ScanLayout
  /// At which scans should come, in Hz; nil where nothing says so.
  private(set) var rate: Double?

  init(
    _ device: IIODevice, channels names: [String], options: IIOOptions, roots: DeviceRoots
  ) throws(SluiceError) {
    channels = try device.channels(named: names)
    layout = try Self.layout(device, channels)
    try super.init(device, for: "scans", roots: roots)
    do throws(SluiceError) {
      try setUp(options, roots)
    } catch {
      tearDown()
      throw error
    }
  }

  private static func layout(_ device: IIODevice, _ channels: [IIOChannel]) throws(SluiceError) -> ScanLayout {
    func format(_ text: String, _ element: String) throws(SluiceError) -> ScanFormat {
      if let format = ScanFormat(text) { return format }
      throw SluiceError(
        .unsupported, "decode", "\(device.elements.path)/\(element)_type",
        because: "\"\(text)\" is no storage format that is known here")
    }
    var formats: [(index: Int, format: ScanFormat)] = []
    for channel in channels { formats.append((channel.index, try format(channel.format, channel.element))) }
    guard formats.reduce(0, { $0 + $1.format.repeats }) <= Values.capacity else {
      throw SluiceError(
        .unsupported, "record", device.name, because: "its channels have more than \(Values.capacity) values",
        remedy: "name fewer channels")
    }
    guard device.hasTimestamp else { return ScanLayout(channels: formats, timestamp: nil) }
    let text = try device.elements.read("in_timestamp_type")
    guard let index = Int(try device.elements.read("in_timestamp_index")) else {
      throw SluiceError(
        .malformed, "read", "\(device.elements.path)/in_timestamp_index", because: "it is no number")
    }
    return ScanLayout(channels: formats, timestamp: (index, try format(text, "in_timestamp")))
  }

  // MARK: Setting up

  private func setUp(_ options: IIOOptions, _ roots: DeviceRoots) throws(SluiceError) {
    guard try device.buffer.read("enable") == "0" else {
      throw SluiceError(
        .busy, "record", device.title, because: "its buffer is already enabled",
        remedy: "stop what is using it, or write 0 to \(device.buffer.path)/enable")
    }
    let trigger = try setTrigger(options, roots)
    try setFrequency(options, trigger)
    for file in device.elements.entries where file.hasSuffix("_en") {
      let element = file.dropLast("_en".count)
      let wanted = element == "in_timestamp" || channels.contains { $0.element == element }
      try changes.set(file, of: device.elements, to: wanted ? "1" : "0")
    }
    isMonotonic = try changes.setClock(of: device)
    try setSizes(options)
    try changes.set("enable", of: device.buffer, to: "1")
    descriptor = try device.open(roots)
  }

  /// - Returns: The folder of the trigger in use.
  private func setTrigger(_ options: IIOOptions, _ roots: DeviceRoots) throws(SluiceError) -> SysfsFolder? {
    if let name = options.trigger, options.makesTrigger { try changes.makeHrtimer(name) }
    let triggers = IIOTriggers.list(roots: roots)
    guard let name = options.trigger else { return triggers.first { $0.name == device.trigger }?.folder }
    guard let trigger = triggers.first(where: { $0.name == name }) else {
      let known = triggers.map(\.name).joined(separator: ", ")
      throw SluiceError(
        .notFound, "use", "trigger \(name)", because: "there is no such trigger",
        remedy: known.isEmpty ? "this machine has no trigger" : "there is \(known)")
    }
    try changes.set("current_trigger", of: device.folder.folder("trigger"), to: name)
    return trigger.folder
  }

  private func setFrequency(_ options: IIOOptions, _ trigger: SysfsFolder?) throws(SluiceError) {
    let files = device.samplingFrequencyFiles(trigger: trigger, channels: channels)
    if let frequency = options.samplingFrequency {
      guard !files.isEmpty else {
        throw SluiceError(
          .unsupported, "set", "the sample rate of \(device.name)", because: "neither it nor its trigger has one",
          remedy: "name a trigger that has one with --trigger")
      }
      for (folder, file) in files { try changes.set(file, of: folder, to: frequency) }
    }
    guard let (folder, file) = files.first else { return }
    let text = try folder.read(file)
    guard let number = Double(text), number >= 0, number.isFinite else {
      throw SluiceError(.malformed, "read", "\(folder.path)/\(file)", because: "\"\(text)\" is no rate")
    }
    rate = number > 0 ? number : nil
    // A trigger that has no rate of its own may fire at any.
    isTimed = trigger == nil || folder == trigger
  }

  /// Whether ``rate`` says how far scans should be apart.
  private(set) var isTimed = false

  private func setSizes(_ options: IIOOptions) throws(SluiceError) {
    let rate = min(self.rate ?? 0, 1_048_576)
    let length = options.length ?? max(1_024, Int(rate.rounded()) * 2)
    try changes.set("length", of: device.buffer, to: String(length))
    guard device.buffer.has("watermark") else {
      guard options.watermark == nil, options.latency == nil else {
        throw SluiceError(
          .unsupported, "set", "the watermark of \(device.name)", because: "this kernel or device has none")
      }
      return
    }
    if options.latency != nil, options.watermark == nil, rate == 0 {
      throw SluiceError(
        .unsupported, "set", "the latency of \(device.name)", because: "nothing says at which rate its scans come",
        remedy: "say with --watermark how many scans may gather")
    }
    let gathering = rate * Double(options.latency ?? 50_000_000) / 1e9
    let watermark = options.watermark ?? max(1, min(Int(gathering.rounded(.down)), length / 2))
    try changes.set("watermark", of: device.buffer, to: String(watermark))
  }

  /// The buffer as it was set: its length and watermark, which the driver may have changed.
  var fifo: FIFOLevel {
    FIFOLevel(
      capacity: device.buffer.readIfPresent("length").flatMap { Int($0) } ?? 0,
      watermark: device.buffer.readIfPresent("watermark").flatMap { Int($0) })
  }

  func isLike(_ other: IIOCapture) -> Bool { channels == other.channels && layout == other.layout }
}
