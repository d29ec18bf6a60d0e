import SluiceDevices
import SluiceReadings
import SluiceRecording

extension SourceSettings {
  /// A setting, by the long name of its option: its member, and the form and the limits of its value.
  public struct Key: Hashable, Sendable {
    /// The name of its option, and of its key after a source and in a plan.
    public let name: String
    /// Whether its option takes no value.
    package let isFlag: Bool
    /// How its value is written.
    let form: ValueForm
    /// The words for the allowed values of the form.
    package let limits: String
    let row: Row

    /// The edges of GPIO lines.
    public static let edges = Key("edges", \.edges, .choice)
    /// The bias of GPIO lines.
    public static let bias = Key("bias", \.bias, .choice)
    /// Whether low is active.
    public static let activeLow = Key("active-low", \.activeLow, .flag)
    /// The debounce time of GPIO lines. The unit of the kernel is a microsecond, in 32 bits.
    public static let debounce = Key("debounce", \.debounce, .period, "1us to 4294s") {
      (1...Int64(UInt32.max)).contains($0.nanoseconds / 1_000)
    }
    /// The edges that the kernel's FIFO keeps.
    public static let fifo = Key("fifo", \.fifo, .integer, "2 to 1024") { (2...1_024).contains($0) }
    /// The clock of the edges' times.
    public static let eventClock = Key("event-clock", \.eventClock, .choice)
    /// Whether a recording begins with the level of each line.
    public static let initialLevel = Key("initial-level", \.initialLevel, .flag)
    /// The consumer name of GPIO lines.
    public static let consumer = Key("consumer", \.consumer, .text)
    /// Whether the recording waits for a device that was removed.
    public static let reconnect = Key("reconnect", \.reconnect, .flag)
    /// The rate of an IIO device or of its trigger, in hertz.
    public static let sampleRate = Key("sample-rate", \.sampleRate, .rate, rate, isRate)
    /// The trigger of an IIO device.
    public static let trigger = Key("trigger", \.trigger, .text)
    /// The scans after which the device becomes readable.
    public static let watermark = Key("watermark", \.watermark, .integer, scans) { (1...1 << 20).contains($0) }
    /// The watermark as a time.
    public static let latency = Key("latency", \.latency, .period)
    /// The length of the kernel's buffer, in scans.
    public static let length = Key("length", \.length, .integer, scans) { (1...1 << 20).contains($0) }
    /// Whether values are written in SI units.
    public static let si = Key("si", \.si, .flag)

    /// In the order of a plan and of the help.
    package static let all = [
      edges, bias, activeLow, debounce, fifo, eventClock, initialLevel, consumer, reconnect, sampleRate, trigger,
      watermark, latency, length, si,
    ]

    package init?(named name: String) {
      guard let key = Self.all.first(where: { $0.name == name }) else { return nil }
      self = key
    }

    public static func == (a: Key, b: Key) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private static let scans = "1 to 1048576 scans"
    fileprivate static let rate = "a number of hertz, such as 200 or 12.5"

    /// Whether drivers of the kernel parse it (`iio_str_to_fixpoint`): digits, with or without decimals.
    @Sendable private static func isRate(_ text: String) -> Bool {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        && text.contains { $0 != "0" && $0 != "." }
    }
  }
}

// MARK: Rows

extension SourceSettings.Key {
  /// What can be done with the member of a setting.
  struct Row: Sendable {
    let set: @Sendable (inout SourceSettings, PlanNode) throws(PlanFault) -> Void
    let isAllowed: @Sendable (SourceSettings) -> Bool
    let isSet: @Sendable (SourceSettings) -> Bool
    /// Copies the member if it is set.
    let copy: @Sendable (SourceSettings, inout SourceSettings) -> Void
    /// What is written in a plan; nil if it is not set.
    let json: @Sendable (SourceSettings) -> JSON?
  }

  /// - Parameters:
  ///   - limits: The words for the allowed values of the form.
  ///   - isAllowed: Whether a value is within them.
  fileprivate init<Value>(
    _ name: String, _ member: any WritableKeyPath<SourceSettings, Value?> & Sendable, _ form: Form<Value>,
    _ limits: String = "", _ isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) {
    self.name = name
    isFlag = Value.self == Bool.self
    self.form = form.form
    self.limits = limits
    row = Row(
      set: { @Sendable settings, node throws(PlanFault) in
        let value = try form.parse(node)
        guard isAllowed(value) else { throw node.fault(" takes \(limits), not \(node.json.shown)") }
        settings[keyPath: member] = value
      },
      isAllowed: { @Sendable settings in settings[keyPath: member].map(isAllowed) ?? true },
      isSet: { @Sendable settings in settings[keyPath: member] != nil },
      copy: { @Sendable settings, copy in
        if let value = settings[keyPath: member] { copy[keyPath: member] = value }
      },
      json: { @Sendable settings in settings[keyPath: member].map { form.json($0) } })
  }
}

extension Form<String> {
  /// A plan may have it as a number too.
  fileprivate static var rate: Form {
    Form(.number, SourceSettings.Key.rate) { json in
      if case .number = json { json.written } else { json.string }
    } json: {
      .string($0)
    }
  }
}
