import SluiceRecording

#if SLUICE_GPIO
  import CGPIO
#endif

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Lines of one chip that are requested for their edges; released with the last reference.
final class GPIORequest: @unchecked Sendable {
  // Used by one reader at a time, which releases it.
  let chipName: String
  let lines: [GPIOLineInfo]
  let options: GPIOOptions
  #if SLUICE_GPIO
    private var request: OpaquePointer?
    private let chip: GPIOChip  // libgpiod 1's lines live as long as their chip
  #endif

  init(_ chip: GPIOChip, lines names: [String], options: GPIOOptions, consumer: String) throws(SluiceError) {
    #if SLUICE_GPIO
      let info = try chip.info()
      let lines = try Self.resolve(names, in: info)
      var config = try Self.configuration(options)
      let offsets = lines.map(\.offset)
      let request = consumer.withCString { consumer in
        config.consumer = consumer
        return cgpio_chip_request_edges(chip.chip, offsets, offsets.count, &config)
      }
      guard let request else { throw Self.refusal(errno, lines, info, chip) }
      self.chip = chip
      self.request = request
      self.lines = lines
      self.options = options
      chipName = info.name
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  deinit { release() }

  /// Frees the lines for others.
  func release() {
    #if SLUICE_GPIO
      cgpio_request_release(request)
      request = nil
    #endif
  }

  #if SLUICE_GPIO
    /// One a request, or one a line.
    var descriptors: [Int32] {
      guard let request else { return [] }
      return (0..<cgpio_request_get_fd_count(request)).map { cgpio_request_get_fd(request, $0) }
    }

    /// - Returns: How many edges were read from a descriptor; -1 with `errno` set.
    func read(_ index: Int, into edges: inout [cgpio_edge], limit: Int) -> Int {
      guard let request else {
        errno = EBADF
        return -1
      }
      return Int(cgpio_request_read_edges(request, index, &edges, min(limit, edges.count)))
    }
  #endif

  /// Events that the kernel keeps, for each of ``descriptors``.
  var fifoCapacity: Int {
    #if SLUICE_GPIO
      return Self.fifoCapacity(cgpio_features() & CGPIO_FEATURE_FIFO_SIZE.rawValue == 0 ? nil : Self.fifo(options))
    #else
      return 0
    #endif
  }

  /// - Parameter asked: Nil with libgpiod 1, where a line keeps 16 (drivers/gpio/gpiolib-cdev.c, `lineevent_state`). Else
  ///   the kernel keeps at most 1,024 for a request, rounded up to a power of two (`linereq_create`, `kfifo_alloc`).
  static func fifoCapacity(_ asked: UInt32?) -> Int {
    guard let asked else { return 16 }
    let size = min(asked, 1_024)
    return size < 2 ? 2 : 1 << (UInt32.bitWidth - (size - 1).leadingZeroBitCount)
  }

  /// Lines by offset or by name.
  static func resolve(_ names: [String], in chip: GPIOChipInfo) throws(SluiceError) -> [GPIOLineInfo] {
    var lines: [GPIOLineInfo] = []
    for name in names {
      guard
        let line = chip.lines.first(where: { String($0.offset) == name })
          ?? chip.lines.first(where: { $0.name == name })
      else {
        let named = chip.lines.compactMap(\.name)
        throw SluiceError(
          .notFound, "watch", "line \(name) of \(chip.name)", because: "there is no such line",
          remedy: "its lines are 0 to \(chip.lines.count - 1)"
            + (named.isEmpty ? "" : ", with the names \(named.joined(separator: ", "))"))
      }
      guard !lines.contains(line) else {
        throw SluiceError(.usage, "watch", "line \(name) of \(chip.name)", because: "it is named twice")
      }
      lines.append(line)
    }
    guard !lines.isEmpty, lines.count <= 64 else {
      throw SluiceError(
        .usage, "watch", "lines of \(chip.name)", because: "there are \(lines.count)", remedy: "name 1 to 64 lines")
    }
    return lines
  }

  #if SLUICE_GPIO
    private static func configuration(_ options: GPIOOptions) throws(SluiceError) -> cgpio_config {
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
      var config = cgpio_config()
      config.edges =
        switch options.edges {
        case .both: CGPIO_EDGES_BOTH
        case .rising: CGPIO_EDGES_RISING
        case .falling: CGPIO_EDGES_FALLING
        }
      config.bias =
        switch options.bias {
        case .asIs: CGPIO_BIAS_AS_IS
        case .disabled: CGPIO_BIAS_DISABLED
        case .pullUp: CGPIO_BIAS_PULL_UP
        case .pullDown: CGPIO_BIAS_PULL_DOWN
        }
      config.clock =
        switch options.clock {
        case .monotonic: CGPIO_CLOCK_MONOTONIC
        case .realtime: CGPIO_CLOCK_REALTIME
        case .hte: CGPIO_CLOCK_HTE
        }
      config.active_low = options.isActiveLow
      config.debounce_us = options.debounce ?? 0
      config.fifo_size = features & CGPIO_FEATURE_FIFO_SIZE.rawValue == 0 ? 0 : fifo(options)
      return config
    }

    private static func fifo(_ options: GPIOOptions) -> UInt32 { options.fifo ?? 1_024 }

    private static func refusal(
      _ errno: Int32, _ lines: [GPIOLineInfo], _ chip: GPIOChipInfo, _ opened: GPIOChip
    ) -> SluiceError {
      let names = lines.map { String($0.offset) }.joined(separator: ",")
      guard errno == EBUSY else { return SluiceError("watch", "line \(names) of \(chip.name)", errno: errno) }
      for line in lines {
        guard let now = try? opened.line(line.offset), let consumer = now.consumer else { continue }
        return SluiceError(
          .busy, "watch", "line \(line.offset) of \(chip.name)", because: "it is in use by \"\(consumer)\"",
          remedy: "stop that first, or take another line", errno: errno)
      }
      return SluiceError(
        "watch", "line \(names) of \(chip.name)", errno: errno, remedy: "somebody else uses one of them")
    }
  #endif
}
