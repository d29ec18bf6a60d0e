import Sluice
import SluiceReadings
import SluiceSystem

#if SLUICE_GPIO
  import CGPIO
#endif

/// The lines requested by this process, by the names of their chips.
private let requestedLines = Locked([String: Set<UInt32>]())

/// Requested lines of one chip. The last reference releases them.
final class GPIORequest: @unchecked Sendable {
  // One thread at a time uses it and releases it.

  enum Use {
    case edges, values
    /// An output with initial levels; nil for low.
    case output([Bool]?, GPIOOptions.Drive)
  }

  /// The levels of the lines at the request.
  struct InitialLevels {
    /// The time before they were read, by the clock of the edges, in nanoseconds.
    var time: UInt64
    /// The time after they were read. An edge between the two times may be before or after the level of its line was
    /// read.
    var end: UInt64
    var levels: [Bool]
  }

  let chipName: String
  /// The chip of the lines.
  let device: StreamDescription.Device
  let lines: [GPIOLineInfo]
  let options: GPIOOptions
  /// The edges that the kernel keeps per descriptor.
  let capacity: Int
  /// The largest number of edges per read: all that the kernel keeps. libgpiod 1 reads no more than that.
  var batchLimit: Int { hasNumbers ? max(256, capacity) : capacity }
  /// Whether edges have numbers. 0 is also a number, because numbers wrap around.
  let hasNumbers: Bool
  /// The levels of the lines at the request, if they were read.
  private(set) var levels: InitialLevels?
  /// The levels that are published.
  var initial: InitialLevels? { options.hasInitialLevel ? levels : nil }
  /// The losses of its edges. Numbers show each lost edge. Without numbers, edges of both directions show some losses,
  /// because directions alternate.
  var losses: DeviceLosses {
    if hasNumbers || options.edges == .both { return DeviceLosses(coverage: .some, countsAll: hasNumbers) }
    return DeviceLosses(
      coverage: .none, reason: "with libgpiod \(GPIOChips.libraryVersion ?? "1") and edges of one direction",
      remedy: "record both edges, or use libgpiod 2 (Debian 13 has it)", countsAll: false)
  }
  #if SLUICE_GPIO
    private var request: OpaquePointer?
    private var chip: GPIOChip?  // the lines of libgpiod 1 exist only while their chip is open
    private var fixture: [Int32] = []  // descriptors, if there is no request
    private var fixtureValues: (() -> Result<[Bool], SystemErrno>)?
  #endif

  init(
    _ selection: GPIOLines, for use: Use = .edges, options: GPIOOptions, consumer: String, root: String,
    sys: String? = nil
  ) throws(SluiceError) {
    #if SLUICE_GPIO
      try GPIOChips.load()
      var config = try Self.configuration(options, use)
      // The kernel would truncate it (include/uapi/linux/gpio.h, GPIO_MAX_NAME_SIZE).
      guard (1...31).contains(consumer.utf8.count) else {
        throw SluiceError(
          .usage, "name", "the lines' consumer \"\(consumer)\"", because: "it has \(consumer.utf8.count) bytes",
          remedy: "give 1 to 31")
      }
      let (chip, info, lines) = try selection.open(root: root)
      let offsets = lines.map(\.offset)
      var output: [Int32]?
      if case .output(let initial, _) = use {
        let values = initial ?? lines.map { _ in false }
        guard values.count == lines.count else { throw Self.wrongCount(values.count, lines, info.name) }
        output = values.map { $0 ? 1 : 0 }
      }
      let request = consumer.withCString { consumer in
        config.consumer = consumer
        guard let output else { return cgpio_chip_request(chip.chip, offsets, offsets.count, &config) }
        return output.withUnsafeBufferPointer { output in
          config.output = output.baseAddress
          return cgpio_chip_request(chip.chip, offsets, offsets.count, &config)
        }
      }
      guard let request else { throw Self.refusal(errno, lines, info, chip) }
      self.chip = chip
      self.request = request
      self.lines = lines
      requestedLines.withLock { $0[info.name, default: []].formUnion(offsets) }
      self.options = options
      hasNumbers = cgpio_features() & CGPIO_FEATURE_SEQNO.rawValue != 0
      capacity = config.fifo_size == 0 ? Self.defaultCapacity : Self.capacity(asked: config.fifo_size)
      chipName = info.name
      device = Self.device(info, sys ?? Self.sysfs(beside: root))
      // Without numbers, the level before the first edge helps to find losses. Some chip may be unable to read it.
      if case .edges = use, options.hasInitialLevel {
        levels = try initialLevels()
      } else if case .edges = use, !hasNumbers, options.edges == .both {
        levels = try? initialLevels()
      }
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  private func initialLevels() throws(SluiceError) -> InitialLevels {
    let clock = options.clock == .realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC
    let time = kernelTime(clock)
    let levels = try values()
    return InitialLevels(time: time, end: kernelTime(clock), levels: levels)
  }

  /// The sysfs that belongs to a folder of devices: `/sys` for `/dev`.
  private static func sysfs(beside root: String) -> String {
    root.hasSuffix("/dev") ? "\(root.dropLast("dev".count))sys" : "/sys"
  }

  private static func device(_ info: GPIOChipInfo, _ sys: String) -> StreamDescription.Device {
    StreamDescription.Device(
      path: info.path, bus: SysfsFolder(path: "\(sys)/bus/gpio/devices/\(info.name)").busIdentity, label: info.label)
  }

  /// The default number of events per line, and the largest number (drivers/gpio/gpiolib-cdev.c, `linereq_create`).
  /// libgpiod 1 always gets the default.
  static let (defaultCapacity, maximalCapacity) = (16, 1_024)
  /// The smallest number: a FIFO has at least two places (lib/kfifo.c, `__kfifo_alloc`).
  private static let minimalCapacity = 2

  /// The next power of two (lib/kfifo.c, `__kfifo_alloc`).
  static func capacity(asked: UInt32) -> Int {
    let asked = min(max(minimalCapacity, Int(asked)), maximalCapacity)
    return 1 << (Int.bitWidth - (asked - 1).leadingZeroBitCount)
  }

  /// The current time by the clock of the edges; nil for the clock of a hardware engine.
  var now: UInt64? {
    switch options.clock {
    case .monotonic: kernelTime(CLOCK_MONOTONIC)
    case .realtime: kernelTime(CLOCK_REALTIME)
    case .hte: nil
    }
  }

  #if SLUICE_GPIO
    /// Makes a fixture instead of a chip: the edges of its lines come from descriptors in the kernel's format,
    /// `struct gpio_v2_line_event`. The descriptors are closed with the request.
    /// - Parameters:
    ///   - descriptors: One for all lines; or one per line as in libgpiod 1, then without numbers.
    ///   - initial: The levels of the lines at the request; nil if they were not read.
    ///   - capacity: The edges that each of them keeps.
    ///   - values: The levels of its lines when they are read.
    init(
      descriptors: [Int32], lines: [GPIOLineInfo], options: GPIOOptions, chipName: String,
      initial: InitialLevels? = nil, capacity: Int = 1_024, hasNumbers: Bool? = nil,
      values: (() -> Result<[Bool], SystemErrno>)? = nil
    ) {
      fixture = descriptors
      fixtureValues = values
      self.hasNumbers = hasNumbers ?? (descriptors.count == 1)
      self.lines = lines
      self.options = options
      self.chipName = chipName
      device = StreamDescription.Device()
      levels = initial
      self.capacity = capacity
      chip = nil
    }
  #endif

  deinit { release() }

  /// Releases the lines, and the chip with its number. While a program has a removed chip open, the chip comes back
  /// under another number (drivers/gpio/gpiolib.c, `gpiodev_release`).
  func release() {
    #if SLUICE_GPIO
      if request != nil { requestedLines.withLock { $0[chipName]?.subtract(lines.map(\.offset)) } }
      if let request { cgpio_request_release(request) }
      request = nil
      chip = nil
      for descriptor in fixture { closeFile(descriptor) }
      fixture = []
    #endif
  }

  /// Throws ``SluiceError/Code/disconnected`` if the chip was removed. On every kernel, only a call on the descriptor
  /// of the chip itself shows this.
  func check() throws(SluiceError) {
    #if SLUICE_GPIO
      guard let chip, let line = lines.first else { return }
      do throws(SluiceError) {
        _ = try chip.line(line.offset)
      } catch {
        if error.code == .disconnected { throw Self.removed("wait for the edges of", chipName) }
      }
    #endif
  }

  /// One level per line, in the given order.
  func values() throws(SluiceError) -> [Bool] {
    #if SLUICE_GPIO
      if let fixtureValues {
        return try fixtureValues().mapError { failure($0.code, "get the values of") }.get()
      }
      var values = [Int32](repeating: 0, count: lines.count)
      guard let request else { throw Self.released("get the values of", chipName) }
      guard cgpio_request_get_values(request, &values) == 0 else { throw failure(errno, "get the values of") }
      return values.map { $0 != 0 }
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  /// Sets one level per line, in the given order.
  func set(_ levels: [Bool]) throws(SluiceError) {
    #if SLUICE_GPIO
      guard levels.count == lines.count else { throw Self.wrongCount(levels.count, lines, chipName) }
      guard let request else { throw Self.released("set the values of", chipName) }
      let values: [Int32] = levels.map { $0 ? 1 : 0 }
      guard cgpio_request_set_values(request, values) == 0 else { throw failure(errno, "set the values of") }
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  private static func released(_ action: String, _ chip: String) -> SluiceError {
    SluiceError(action, chip, errno: EBADF, remedy: "request its lines anew: these have been released")
  }

  private static func wrongCount(_ count: Int, _ lines: [GPIOLineInfo], _ chip: String) -> SluiceError {
    let given = count == 1 ? "1 value was given" : "\(count) values were given"
    return SluiceError(
      .usage, "set the values of", chip, because: "\(given) for \(lines.count) line\(lines.count == 1 ? "" : "s")",
      remedy: "give one value per line")
  }

  /// The error for a failed call on the requested lines. Only ENODEV, or a call on the chip's own descriptor, shows
  /// that the chip was removed. EIO comes from the bus of an expander, perhaps only for a moment.
  func failure(_ code: Int32, _ action: String) -> SluiceError {
    if code == ENODEV { return Self.removed(action, chipName) }
    do throws(SluiceError) { try check() } catch { return Self.removed(action, chipName) }
    return SluiceError(
      action, chipName, errno: code,
      remedy: code == EIO
        ? "check the wires and the supply of the chip, and of the bus that it is on"
        : "start the recording again; dmesg may show a message of its driver")
  }

  private static func removed(_ action: String, _ chip: String) -> SluiceError {
    SluiceError(
      .disconnected, action, chip, because: "the chip was removed",
      remedy: "connect it and start again, or let the key reconnect wait for it", errno: ENODEV)
  }

  #if SLUICE_GPIO
    var isOpen: Bool { request != nil || !fixture.isEmpty }

    /// One descriptor per request, or one per line.
    var descriptors: [Int32] {
      guard let request else { return fixture }
      return (0..<cgpio_request_get_fd_count(request)).map { cgpio_request_get_fd(request, $0) }
    }

    /// - Returns: The number of edges read from a descriptor; -1 with `errno` set.
    func read(_ index: Int, into edges: inout [cgpio_edge], limit: Int) -> Int {
      let limit = min(limit, edges.count)
      guard let request else { return Int(cgpio_read_edges(fixture[index], &edges, limit)) }
      return Int(cgpio_request_read_edges(request, index, &edges, limit))
    }

    private static func configuration(_ options: GPIOOptions, _ use: Use) throws(SluiceError) -> cgpio_config {
      let features = cgpio_features()
      func need(_ feature: cgpio_feature, _ what: String) throws(SluiceError) {
        guard features & feature.rawValue == 0 else { return }
        throw SluiceError(
          .unsupported, "use", what, because: "libgpiod \(String(cString: cgpio_version())) cannot do it",
          remedy: "libgpiod 2 can (Debian 13 has it)")
      }
      if options.debounce != nil { try need(CGPIO_FEATURE_DEBOUNCE, "debouncing by the kernel") }
      if options.fifo != nil { try need(CGPIO_FEATURE_FIFO_SIZE, "another FIFO size") }
      if options.clock != .monotonic { try need(CGPIO_FEATURE_CLOCK, "the event clock \(options.clock.rawValue)") }
      if let fifo = options.fifo, !(minimalCapacity...maximalCapacity).contains(Int(fifo)) {
        throw SluiceError(
          .usage, "use", "a FIFO of \(fifo) edge\(fifo == 1 ? "" : "s")",
          because: "the kernel keeps at least \(minimalCapacity) and at most \(maximalCapacity)",
          remedy: "give \(minimalCapacity) to \(maximalCapacity)")
      }
      var config = cgpio_config()
      switch use {
      case .values, .output: config.edges = CGPIO_EDGES_NONE
      case .edges:
        config.edges =
          switch options.edges {
          case .both: CGPIO_EDGES_BOTH
          case .rising: CGPIO_EDGES_RISING
          case .falling: CGPIO_EDGES_FALLING
          }
        config.fifo_size =
          options.fifo ?? (features & CGPIO_FEATURE_FIFO_SIZE.rawValue == 0 ? 0 : UInt32(maximalCapacity))
      }
      config.bias =
        switch options.bias {
        case .asIs: CGPIO_BIAS_AS_IS
        case .disabled: CGPIO_BIAS_DISABLED
        case .pullUp: CGPIO_BIAS_PULL_UP
        case .pullDown: CGPIO_BIAS_PULL_DOWN
        }
      if case .output(_, let drive) = use {
        config.drive =
          switch drive {
          case .pushPull: CGPIO_DRIVE_PUSH_PULL
          case .openDrain: CGPIO_DRIVE_OPEN_DRAIN
          case .openSource: CGPIO_DRIVE_OPEN_SOURCE
          }
      }
      config.clock =
        switch options.clock {
        case .monotonic: CGPIO_CLOCK_MONOTONIC
        case .realtime: CGPIO_CLOCK_REALTIME
        case .hte: CGPIO_CLOCK_HTE
        }
      config.active_low = options.isActiveLow
      config.debounce_us = options.debounce ?? 0
      return config
    }

    private static func refusal(
      _ errno: Int32, _ lines: [GPIOLineInfo], _ chip: GPIOChipInfo, _ opened: GPIOChip
    ) -> SluiceError {
      let names = lines.map { String($0.offset) }.joined(separator: ",")
      let object = "\(lines.count == 1 ? "line" : "lines") \(names) of \(chip.name)"
      guard errno == EBUSY else {
        return SluiceError(
          "request", object, errno: errno,
          remedy: "the chip or this kernel may not know one of the settings: try without bias, debounce and event clock"
        )
      }
      let own = requestedLines.withLock { $0[chip.name] ?? [] }
      for line in lines {
        guard let now = try? opened.line(line.offset), let consumer = now.consumer else { continue }
        let isOwn = own.contains(line.offset)
        return SluiceError(
          .busy, "request", "line \(line.offset) of \(chip.name)",
          because: isOwn ? "this program uses it already (\"\(consumer)\")" : "it is in use by \"\(consumer)\"",
          remedy: isOwn ? "name it once" : "stop that first, or take another line", errno: errno)
      }
      return SluiceError("request", object, errno: errno, remedy: "somebody else uses one of them")
    }
  #endif
}
