import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A device set up for capture: everything that was changed is put back in reverse order, also when a step fails.
final class IIOCapture: IIOChangedDevice, IIOSession {
  let channels: [IIOChannel]
  let layout: ScanLayout
  /// At which scans should come, in Hz; nil where nothing says so.
  private(set) var rate: Double?
  /// When it was enabled, by the monotonic clock: no scan is older.
  private(set) var began: UInt64 = 0
  /// How long a scan may wait in the buffer, in nanoseconds.
  private let latency: Int64

  init(
    _ device: IIODevice, channels names: [String], options: IIOOptions, roots: DeviceRoots
  ) throws(SluiceError) {
    try Self.checkFrequency(options.samplingFrequency, device)
    channels = try device.channels(named: names)
    layout = try Self.layout(device, channels)
    latency = options.latency ?? (options.watermark == nil ? 50_000_000 : ScanGathering.longest)
    try super.init(device, for: "scans", roots: roots)
    do throws(SluiceError) {
      try setUp(options, roots)
    } catch {
      tearDown()
      throw error
    }
  }

  /// Sysfs takes digits and a point, and a driver may take the beginning of what is no number.
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
    // First: what another program reads is left as it is.
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
      // Whether a device needs a trigger shows only in that it refuses to go without one.
      guard error.errno == EINVAL, trigger == nil, device.takesTrigger else {
        throw error
      }
      let known = IIOTriggers.names(roots: roots).joined(separator: ", ")
      var refused = error
      refused.remedy =
        "it has no trigger: name one with --trigger\(known.isEmpty ? "" : " (there is \(known))"), "
        + "or let --trigger hrtimer:NAME make one"
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

  /// Those that are not wanted are switched off first: some drivers take only one at a time.
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
          remedy: "name a trigger that has one with --trigger")
      }
      for (folder, file) in files {
        let owner = folder == trigger?.folder ? trigger?.name : nil
        try changes.setRate(file, of: folder, trigger: owner, to: frequency)
      }
    }
    guard let (folder, file) = files.first else { return }
    let number = try folder.rate(file).number
    rate = number > 0 ? number : nil
    // A trigger that has no rate of its own may fire at any.
    isTimed = trigger == nil || folder == trigger?.folder
  }

  /// Whether ``rate`` says how far scans should be apart.
  private(set) var isTimed = false

  private func setSizes(_ options: IIOOptions) throws(SluiceError) {
    let rate = min(self.rate ?? 0, 1_048_576)
    let hasWatermark = device.buffer.has("watermark")
    // The driver lowers it with the length (`length_store` in drivers/iio/industrialio-buffer.c).
    let isFixed = device.buffer.isReadOnly("watermark")
    if hasWatermark, !isFixed { try changes.keep("watermark", of: device.buffer) }
    let length = try setLength(options.length ?? max(1_024, Int(rate.rounded()) * 2), isAsked: options.length != nil)
    guard hasWatermark else {
      guard options.watermark == nil, options.latency == nil else {
        throw SluiceError(
          .unsupported, "set", "the watermark of \(device.name)", because: "this kernel or device has none",
          remedy: "leave out --watermark and --latency")
      }
      return
    }
    if options.latency != nil, options.watermark == nil, rate == 0 {
      throw SluiceError(
        .unsupported, "set", "the latency of \(device.name)", because: "nothing says at which rate its scans come",
        remedy: "say with --watermark how many scans may gather")
    }
    // A buffer that a DMA engine fills block by block has its own (`INDIO_BUFFER_FLAG_FIXED_WATERMARK`).
    if options.watermark == nil, options.latency == nil, isFixed { return }
    let gathering = rate * Double(latency) / 1e9
    let watermark = options.watermark ?? max(1, min(Int(gathering.rounded(.down)), length / 2))
    try changes.set("watermark", of: device.buffer, to: String(watermark))
  }

  /// - Parameter isAsked: Whether a length that cannot be set is an error.
  /// - Returns: The length that it has.
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

  /// The buffer as it was set: its length and watermark, which the driver may have changed.
  var fifo: FIFOLevel {
    let length = device.buffer.readIfPresent("length").flatMap { Int($0) } ?? 0
    return FIFOLevel(
      capacity: isSoftware ? Self.capacity(length: length) : length,
      watermark: device.buffer.readIfPresent("watermark").flatMap { Int($0) })
  }

  /// How scans gather; nil where each is wanted at once, or the device gathers them and wakes nobody before: a DMA engine,
  /// or a FIFO of its own, which a read in between would empty (`iio_buffer_ready` in drivers/iio/industrialio-buffer.c).
  var gathering: ScanGathering? {
    guard isSoftware, device.buffer.readIfPresent("hwfifo_enabled") != "1" else { return nil }
    let fifo = fifo
    return ScanGathering(watermark: fifo.watermark ?? 1, capacity: fifo.capacity, latency: latency)
  }

  /// Whether the kernel keeps scans in memory of its own, and throws the newest away when that is full
  /// (drivers/iio/buffer/kfifo_buf.c); a DMA engine fills a buffer block by block, and stops when none is free.
  private(set) lazy var isSoftware = !device.buffer.isReadOnly("watermark")

  /// Scans that are kept: the next power of two (`__iio_allocate_kfifo` in drivers/iio/buffer/kfifo_buf.c).
  private static func capacity(length: Int) -> Int {
    // No memory is large enough for more.
    length < 2 || length > 1 << 40 ? length : 1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
  }

  /// Scans that are waiting; nil where the kernel does not say.
  var waiting: Int? {
    // More than there can be would overflow where it is added up.
    device.buffer.readIfPresent("data_available").flatMap { Int($0) }.map { min(max(0, $0), 1 << 40) }
  }

  func isLike(_ other: IIOCapture) -> Bool { channels == other.channels && layout == other.layout }
}
