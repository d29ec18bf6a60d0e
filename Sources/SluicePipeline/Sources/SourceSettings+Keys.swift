import SluiceDevices
import SluiceReadings
import SluiceRecording

extension SourceSettings {
  /// A setting, by its name after a source and in a plan: its member, how its value is written, and its words.
  public struct Key: Hashable, Sendable {
    let setting: Setting<SourceSettings>

    /// The edges of GPIO lines.
    public static let edges = Key(.optional("edges", \.edges, .choice), "Edges to record. (default: both)")
    /// The bias of GPIO lines.
    public static let bias = Key(
      .optional("bias", \.bias, .choice.refusing(isLength)), "Bias of the lines. (default: as-is)")
    /// Whether low is active.
    public static let activeLow = Key(.optional("active-low", \.activeLow, .flag), "Treat low as active.")
    /// The debounce time of GPIO lines. The unit of the kernel is a microsecond, in 32 bits.
    public static let debounce = Key(
      .optional(
        "debounce", \.debounce,
        .period.within("1us to 4294s") { (1...Int64(UInt32.max)).contains($0.nanoseconds / 1_000) }),
      "T", "Let the kernel debounce the lines. Needs libgpiod 2.")
    /// The edges that the kernel's FIFO keeps.
    public static let fifo = Key(
      .optional("fifo", \.fifo, .integer.within("2 to 1024") { (2...1_024).contains($0) }), "N",
      "Edges that the kernel's FIFO keeps, 2 to 1024. Needs libgpiod 2. (default: 1024)")
    /// The clock of the edges' times.
    public static let eventClock = Key(
      .optional("event-clock", \.eventClock, .choice),
      "Clock of the edges' times. Needs libgpiod 2. (default: monotonic)")
    /// Whether a recording begins with the level of each line.
    public static let initialLevel = Key(
      .optional("initial-level", \.initialLevel, .flag), "Begin with the level of each line.")
    /// The consumer name of GPIO lines.
    public static let consumer = Key(
      .optional("consumer", \.consumer, .text), "NAME", "Consumer name that gpioinfo shows. (default: sluice)")
    /// Whether the recording waits for a device that was removed.
    public static let reconnect = Key(
      .optional("reconnect", \.reconnect, .flag),
      "Wait for a chip or device that is removed, and go on when it is back.")
    /// The rate of an IIO device or of its trigger, in hertz.
    public static let sampleRate = Key(
      .optional("sample-rate", \.sampleRate, .rate), "HZ", "Rate of the IIO device or its trigger.")
    /// The trigger of an IIO device.
    public static let trigger = Key(
      .optional("trigger", \.trigger, .text), "[hrtimer:]NAME",
      "Trigger that starts the scans; hrtimer:NAME makes one for the recording.")
    /// The scans after which the device becomes readable.
    public static let watermark = Key(
      .optional("watermark", \.watermark, .scans).excludes("latency") {
        " and \($0) set the same thing: give one of them"
      }, "N", "Read after N scans (watermark).")
    /// The watermark as a time.
    public static let latency = Key(
      .optional("latency", \.latency, .period), "T", "The watermark as a time. (default: 50ms)")
    /// The length of the kernel's buffer, in scans.
    public static let length = Key(
      .optional("length", \.length, .scans), "N", "Length of the kernel's buffer, in scans.")
    /// Whether values are written in SI units.
    public static let si = Key(
      .optional("si", \.si, .flag),
      "Write V, degrees and tesla instead of the kernel's mV, m°C and gauss; for iio and poll.")

    /// `iio_readdev -b` is the length of the buffer.
    @Sendable private static func isLength(_ text: String) -> String? {
      !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
        ? "this is the bias of a line; the buffer of an IIO device is length=" : nil
    }

    /// In the order of a plan and of the help.
    package static let all = [
      edges, bias, activeLow, debounce, fifo, eventClock, initialLevel, consumer, reconnect, sampleRate, trigger,
      watermark, latency, length, si,
    ]

    private init(_ setting: Setting<SourceSettings>, _ form: String, _ words: String) {
      self.setting = setting.option(form, words)
    }

    /// A choice or a flag.
    private init(_ setting: Setting<SourceSettings>, _ words: String) { self.setting = setting.option(words) }

    package init?(named name: String) {
      guard let key = Self.all.first(where: { $0.name == name }) else { return nil }
      self = key
    }

    /// The name after a source and in a plan, and of the option.
    public var name: String { setting.key.text }
    /// Whether it takes no value.
    package var isFlag: Bool { setting.form == .flag }
    /// How its value is written.
    var form: ValueForm { setting.form }
    /// The values that it may have; empty if it may have others.
    package var choices: [String] {
      switch setting.form {
      case .flag: ["true", "false"]
      case .choice(let names): names
      default: []
      }
    }
    /// What it is, as a sentence.
    package var words: String { setting.sentence ?? "" }

    public static func == (a: Key, b: Key) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// All of them, as the settings of one part of a plan.
  package static let table = Settings<Self>(Key.all.map { $0.setting }) { Self() }
}

extension Form<String> {
  /// What drivers of the kernel parse (`iio_str_to_fixpoint`): digits, with or without decimals. A plan may have it as a
  /// number too.
  fileprivate static var rate: Form {
    Form(.number, "a number of hertz, such as 200 or 12.5") { json in
      let written = if case .number = json { json.written } else { json.string }
      guard let text = written else { return nil }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let isRate =
        parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
        && text.contains { $0 != "0" && $0 != "." }
      return isRate ? text : nil
    } json: {
      .string($0)
    }
  }
}

extension Form<Int> {
  fileprivate static var scans: Form { integer.within("1 to 1048576 scans") { (1...1 << 20).contains($0) } }
}
