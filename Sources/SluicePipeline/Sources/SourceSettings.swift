package import SluiceDevices

/// The settings of sources: for one source as `key=value`, for all sources by the option of the same name. Nil members
/// are not set.
package struct SourceSettings: Hashable {
  package var edges: GPIOOptions.Edges?
  package var bias: GPIOOptions.Bias?
  package var activeLow: Bool?
  package var debounce: TimeSpan?
  package var fifo: Int?
  package var eventClock: GPIOOptions.Clock?
  package var initialLevel: Bool?
  package var consumer: String?
  package var reconnect: Bool?
  package var sampleRate: String?
  package var trigger: String?
  package var watermark: Int?
  package var latency: TimeSpan?
  package var length: Int?
  package var si: Bool?

  package init(
    edges: GPIOOptions.Edges? = nil, bias: GPIOOptions.Bias? = nil, activeLow: Bool? = nil, debounce: TimeSpan? = nil,
    fifo: Int? = nil, eventClock: GPIOOptions.Clock? = nil, initialLevel: Bool? = nil, consumer: String? = nil,
    reconnect: Bool? = nil, sampleRate: String? = nil, trigger: String? = nil, watermark: Int? = nil,
    latency: TimeSpan? = nil, length: Int? = nil, si: Bool? = nil
  ) {
    self.edges = edges
    self.bias = bias
    self.activeLow = activeLow
    self.debounce = debounce
    self.fifo = fifo
    self.eventClock = eventClock
    self.initialLevel = initialLevel
    self.consumer = consumer
    self.reconnect = reconnect
    self.sampleRate = sampleRate
    self.trigger = trigger
    self.watermark = watermark
    self.latency = latency
    self.length = length
    self.si = si
  }

  /// A setting, by the long name of its option.
  package enum Key: String, CaseIterable {
    case edges, bias
    case activeLow = "active-low"
    case debounce, fifo
    case eventClock = "event-clock"
    case initialLevel = "initial-level"
    case consumer, reconnect
    case sampleRate = "sample-rate"
    case trigger, watermark, latency, length, si

    /// Whether its option takes no value.
    package var isFlag: Bool { [.activeLow, .initialLevel, .reconnect, .si].contains(self) }
  }

  // MARK: Values

  /// - Throws: ``InvalidSetting`` if the key does not take this value.
  package mutating func set(_ key: Key, to text: String) throws(InvalidSetting) {
    switch key {
    case .edges: edges = try choice(text)
    case .bias: bias = try choice(text)
    case .activeLow: activeLow = try flag(text)
    case .debounce: debounce = try duration(text)
    case .fifo: fifo = try number(text)
    case .eventClock: eventClock = try choice(text)
    case .initialLevel: initialLevel = try flag(text)
    case .consumer: consumer = text
    case .reconnect: reconnect = try flag(text)
    case .sampleRate: sampleRate = text
    case .trigger: trigger = text
    case .watermark: watermark = try number(text)
    case .latency: latency = try duration(text)
    case .length: length = try number(text)
    case .si: si = try flag(text)
    }
    try check(key)
  }

  private func choice<T: RawRepresentable & CaseIterable>(
    _ text: String
  ) throws(InvalidSetting) -> T where T.RawValue == String {
    if let value = T(rawValue: text) { return value }
    throw InvalidSetting(takes: T.allCases.map(\.rawValue).joined(separator: ", "))
  }

  private func flag(_ text: String) throws(InvalidSetting) -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default: throw InvalidSetting(takes: "true or false")
    }
  }

  private func number(_ text: String) throws(InvalidSetting) -> Int {
    if let number = Int(text) { return number }
    throw InvalidSetting(takes: "a whole number")
  }

  private func duration(_ text: String) throws(InvalidSetting) -> TimeSpan {
    if let duration = TimeSpan(text) { return duration }
    throw InvalidSetting(takes: TimeSpan.form)
  }

  /// Checks the limits of a value from any origin.
  package func check(_ key: Key) throws(InvalidSetting) {
    switch key {
    case .fifo where fifo.map { !(2...1_024).contains($0) } ?? false: throw InvalidSetting(takes: "2 to 1024")
    case .watermark where watermark.map { !Self.scans.contains($0) } ?? false,
      .length where length.map { !Self.scans.contains($0) } ?? false:
      throw InvalidSetting(takes: "1 to 1048576 scans")
    case .debounce where debounce.map { !(1...Int64(UInt32.max)).contains($0.nanoseconds / 1_000) } ?? false:
      throw InvalidSetting(takes: "1us to 4294s")
    case .sampleRate where sampleRate.map { !Self.isRate($0) } ?? false:
      throw InvalidSetting(takes: Self.rate)
    default: break
    }
  }

  private static let scans = 1...1 << 20

  /// The words for a sample rate.
  static let rate = "a number of hertz, such as 200 or 12.5"

  /// Whether drivers of the kernel parse it (`iio_str_to_fixpoint`): digits, with or without decimals.
  private static func isRate(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
      && text.contains { $0 != "0" && $0 != "." }
  }

  /// The settings of some keys only.
  package func only(_ keys: [Key]) -> SourceSettings {
    var settings = self
    for key in Key.allCases where !keys.contains(key) { settings.remove(key) }
    return settings
  }

  private mutating func remove(_ key: Key) {
    switch key {
    case .edges: edges = nil
    case .bias: bias = nil
    case .activeLow: activeLow = nil
    case .debounce: debounce = nil
    case .fifo: fifo = nil
    case .eventClock: eventClock = nil
    case .initialLevel: initialLevel = nil
    case .consumer: consumer = nil
    case .reconnect: reconnect = nil
    case .sampleRate: sampleRate = nil
    case .trigger: trigger = nil
    case .watermark: watermark = nil
    case .latency: latency = nil
    case .length: length = nil
    case .si: si = nil
    }
  }

  // MARK: Keys

  /// The keys that are set.
  package var keys: [Key] { Key.allCases.filter { isSet($0) } }

  private func isSet(_ key: Key) -> Bool {
    switch key {
    case .edges: edges != nil
    case .bias: bias != nil
    case .activeLow: activeLow != nil
    case .debounce: debounce != nil
    case .fifo: fifo != nil
    case .eventClock: eventClock != nil
    case .initialLevel: initialLevel != nil
    case .consumer: consumer != nil
    case .reconnect: reconnect != nil
    case .sampleRate: sampleRate != nil
    case .trigger: trigger != nil
    case .watermark: watermark != nil
    case .latency: latency != nil
    case .length: length != nil
    case .si: si != nil
    }
  }

  /// These settings, completed by the others.
  package func or(_ others: SourceSettings) -> SourceSettings {
    var all = self
    all.edges = edges ?? others.edges
    all.bias = bias ?? others.bias
    all.activeLow = activeLow ?? others.activeLow
    all.debounce = debounce ?? others.debounce
    all.fifo = fifo ?? others.fifo
    all.eventClock = eventClock ?? others.eventClock
    all.initialLevel = initialLevel ?? others.initialLevel
    all.consumer = consumer ?? others.consumer
    all.reconnect = reconnect ?? others.reconnect
    all.sampleRate = sampleRate ?? others.sampleRate
    all.trigger = trigger ?? others.trigger
    all.length = length ?? others.length
    all.si = si ?? others.si
    // Both set the watermark, one as a number and one as a time.
    if watermark == nil, latency == nil { (all.watermark, all.latency) = (others.watermark, others.latency) }
    return all
  }
}

/// A value that a setting does not take.
package struct InvalidSetting: Error {
  /// The allowed form.
  package var takes: String
}
