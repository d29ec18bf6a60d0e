import SluiceReadings
import SluiceSystem

/// A device that is set up for capture. All changes are undone in reverse order, even if a step fails.
final class IIOCapture: IIOChangedDevice, IIOSession {
  let channels: [IIOChannel]
  let layout: ScanLayout
  /// The expected scans per second; nil if it is not known.
  private(set) var rate: Double?
  /// The time when it was enabled, by the monotonic clock. No scan is older.
  private(set) var began: UInt64 = 0
  /// The longest time in nanoseconds that a scan may wait in the buffer.
  private let latency: Int64

  init(
    _ device: IIODevice, channels names: [String], options: IIOOptions, roots: DeviceRoots
  ) throws(SluiceError) {
    try Self.checkFrequency(options.samplingFrequency, device)
    channels = try device.channels(named: names)
    layout = try Self.layout(device, channels)
    latency = IIOBuffer.latency(options)
    try super.init(device, for: "scans", roots: roots)
    do throws(SluiceError) {
      try setUp(options, roots)
    } catch {
      tearDown()
      throw error
    }
  }

  /// Checks for digits and a point, because a driver may accept the beginning of a text that is not a number.
  private static func checkFrequency(_ text: String?, _ device: IIODevice) throws(SluiceError) {
    guard let text, Double(text) == nil || !text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return }
    throw SluiceError(
      .usage, "set", "the sample rate of \(device.name)", because: "\"\(text)\" is no number",
      remedy: "give a number of hertz, such as 200")
  }

  private static func layout(_ device: IIODevice, _ channels: [IIOChannel]) throws(SluiceError) -> ScanLayout {
    func format(_ text: String, _ element: String) throws(SluiceError) -> ScanFormat {
      if let format = ScanFormat(text) { return format }
      throw SluiceError(
        .unsupported, "decode", "\(device.elements.path)/\(element)_type",
        because: "\"\(text)\" is no storage format that is known here",
        remedy: "name the channels to record, without it")
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
        .malformed, "read", "\(device.elements.path)/in_timestamp_index", because: "it is no number",
        remedy: SysfsFolder.malformedRemedy)
    }
    return ScanLayout(channels: formats, timestamp: (index, try format(text, "in_timestamp")))
  }

  // MARK: Setting up

  private func setUp(_ options: IIOOptions, _ roots: DeviceRoots) throws(SluiceError) {
    // This is first, so that the settings of a device that another program reads do not change.
    descriptor = try device.open(roots)
    try checkDisabled()
    let trigger = try setTrigger(options, roots)
    do throws(SluiceError) {
      try setFrequency(options, trigger)
      try enableChannels()
      isMonotonic = try changes.setClock(of: device)
      try setSizes(options)
      began = kernelTime(CLOCK_MONOTONIC)
      try changes.set("enable", of: device.buffer, to: "1")
    } catch {
      // Only a refused start shows that a device needs a trigger.
      guard error.errno == EINVAL, trigger == nil, device.takesTrigger else {
        throw error
      }
      let known = IIOTriggers.names(roots: roots).joined(separator: ", ")
      var refused = error
      refused.remedy =
        "it has no trigger: name one with the key trigger\(known.isEmpty ? "" : " (there is \(known))"), "
        + "or let trigger=hrtimer:NAME make one"
      throw refused
    }
  }

  private func checkDisabled() throws(SluiceError) {
    let enable = try device.buffer.read("enable")
    guard enable != "1" else {
      throw SluiceError(
        .busy, "record", device.title, because: "its buffer is already enabled",
        remedy: "stop what is using it, or write 0 to \(device.buffer.path)/enable")
    }
    guard enable == "0" else {
      throw SluiceError(
        .malformed, "read", "\(device.buffer.path)/enable", because: "\"\(enable)\" is neither 0 nor 1",
        remedy: SysfsFolder.malformedRemedy)
    }
  }

  /// Enables the channels. Other channels are disabled first, because some drivers accept only one at a time.
  private func enableChannels() throws(SluiceError) {
    let wanted = ["in_timestamp_en"] + channels.map { "\($0.element)_en" }
    let files = device.elements.entries.filter { $0.hasSuffix("_en") }
    for file in files where !wanted.contains(file) { try changes.set(file, of: device.elements, to: "0") }
    for file in files where wanted.contains(file) { try changes.set(file, of: device.elements, to: "1") }
  }

  /// - Returns: The trigger in use.
  private func setTrigger(
    _ options: IIOOptions, _ roots: DeviceRoots
  ) throws(SluiceError) -> (name: String, folder: SysfsFolder)? {
    if let name = options.trigger, options.makesTrigger { try changes.makeHrtimer(name) }
    let triggers = IIOTriggers.list(roots: roots)
    guard let name = options.trigger else { return triggers.first { $0.name == device.trigger } }
    guard let trigger = triggers.first(where: { $0.name == name }) else {
      let known = triggers.map(\.name).joined(separator: ", ")
      throw SluiceError(
        .notFound, "use", "trigger \(name)", because: "there is no such trigger",
        remedy: known.isEmpty ? "this machine has no trigger" : "there is \(known)")
    }
    try changes.set("current_trigger", of: device.folder.folder("trigger"), to: name)
    return trigger
  }

  private func setFrequency(
    _ options: IIOOptions, _ trigger: (name: String, folder: SysfsFolder)?
  ) throws(SluiceError) {
    let files = device.samplingFrequencyFiles(trigger: trigger?.folder, channels: channels)
    if let frequency = options.samplingFrequency {
      guard !files.isEmpty else {
        throw SluiceError(
          .unsupported, "set", "the sample rate of \(device.name)", because: "neither it nor its trigger has one",
          remedy: "with the key trigger, name a trigger that has a rate")
      }
      for (folder, file) in files {
        let owner = folder == trigger?.folder ? trigger?.name : nil
        try changes.setRate(file, of: folder, trigger: owner, to: frequency)
      }
    }
    guard let (folder, file) = files.first else { return }
    let number = try folder.rate(file).number
    rate = number > 0 ? number : nil
    // A trigger without its own rate may fire at any rate.
    isTimed = trigger == nil || folder == trigger?.folder
  }

  /// Whether ``rate`` is the distance between scans.
  private(set) var isTimed = false

  private func setSizes(_ options: IIOOptions) throws(SluiceError) {
    let rate = IIOBuffer.limited(self.rate)
    let hasWatermark = device.buffer.has("watermark")
    // The driver reduces the watermark with the length (`length_store` in drivers/iio/industrialio-buffer.c).
    let isFixed = device.buffer.isReadOnly("watermark")
    if hasWatermark, !isFixed { try changes.keep("watermark", of: device.buffer) }
    let length = try setLength(options.length ?? IIOBuffer.length(at: rate), isAsked: options.length != nil)
    guard hasWatermark else {
      guard options.watermark == nil, options.latency == nil else {
        throw SluiceError(
          .unsupported, "set", "the watermark of \(device.name)", because: "this kernel or device has none",
          remedy: "leave out the keys watermark and latency")
      }
      return
    }
    if options.latency != nil, options.watermark == nil, rate == 0 {
      throw SluiceError(
        .unsupported, "set", "the latency of \(device.name)", because: "nothing says at which rate its scans come",
        remedy: "say with the key watermark how many scans may gather")
    }
    // A buffer that a DMA engine fills block by block has a fixed watermark (`INDIO_BUFFER_FLAG_FIXED_WATERMARK`).
    if options.watermark == nil, options.latency == nil, isFixed { return }
    let watermark = options.watermark ?? IIOBuffer.watermark(at: rate, latency: latency, length: length)
    try changes.set("watermark", of: device.buffer, to: String(watermark))
  }

  /// - Parameter isAsked: Whether it is an error if the length cannot be set.
  /// - Returns: The length that the buffer has.
  private func setLength(_ length: Int, isAsked: Bool) throws(SluiceError) -> Int {
    let text = try device.buffer.read("length")
    guard let before = Int(text), before >= 0 else {
      throw SluiceError(
        .malformed, "read", "\(device.buffer.path)/length", because: "\"\(text)\" is no length of a buffer",
        remedy: SysfsFolder.malformedRemedy)
    }
    if !isAsked, device.buffer.isReadOnly("length") { return before }
    try changes.set("length", of: device.buffer, to: String(length))
    return length
  }

  /// The length and the watermark of the buffer. The driver may have changed them.
  var fifo: FIFOLevel {
    let length = device.buffer.readIfPresent("length").flatMap { Int($0) } ?? 0
    return FIFOLevel(
      capacity: isSoftware ? IIOBuffer.capacity(length: length) : length,
      watermark: device.buffer.readIfPresent("watermark").flatMap { Int($0) })
  }

  /// The gathering of scans. It is nil if each scan is wanted at once, or if the device gathers them and wakes nobody
  /// before. That is the case with a DMA engine, and with a hardware FIFO, which a read would empty (`iio_buffer_ready`
  /// in drivers/iio/industrialio-buffer.c).
  var gathering: ScanGathering? {
    guard isSoftware, device.buffer.readIfPresent("hwfifo_enabled") != "1" else { return nil }
    let fifo = fifo
    return ScanGathering(watermark: fifo.watermark ?? 1, capacity: fifo.capacity, latency: latency)
  }

  /// Whether the kernel keeps scans in its own memory, and drops the newest when that is full
  /// (drivers/iio/buffer/kfifo_buf.c). A DMA engine fills a buffer block by block, and stops when no block is free.
  private(set) lazy var isSoftware = !device.buffer.isReadOnly("watermark")

  /// The number of waiting scans; nil if the kernel does not report it.
  var waiting: Int? {
    // A larger number is impossible, and could overflow in sums.
    device.buffer.readIfPresent("data_available").flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) }
  }

  func isLike(_ other: IIOCapture) -> Bool { channels == other.channels && layout == other.layout }
}
