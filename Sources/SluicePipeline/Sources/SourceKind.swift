public import SluiceDevices
public import SluiceReadings

/// A kind of source: its text form, its settings, and how it is opened.
///
/// A value of the type is WHAT in `KIND:WHAT`, parsed without I/O. Write one to name a sensor of your own in plans and on
/// the command line; if a program only records it, a `ReadingSource` is enough. ``SourceKinds/add(_:)`` makes it known.
///
/// ```swift
/// struct ThermometerKind: SourceKind {
///   static let name = "thermometer"
///   static let form = "FILE"
///   static let example = "/sys/bus/i2c/devices/1-0048/temp"
///   let file: String
///
///   init?(_ what: String) { file = what }
///
///   func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
///     [try Thermometer(file)]
///   }
/// }
/// ```
public protocol SourceKind: Hashable, Sendable {
  /// `KIND` in `KIND:WHAT`.
  static var name: String { get }
  /// The form of WHAT, for help and errors: `CHIP:LINE[,LINE...]`.
  static var form: String { get }
  /// An example of WHAT that users can copy.
  static var example: String { get }
  /// The settings of one source of this kind, among those that exist. None by default.
  static var keys: [SourceSettings.Key] { get }
  /// Whether the folder of its device depends on `--root`. True by default.
  static var hasRoot: Bool { get }
  /// Whether its readings are events, so that no reading comes without an external cause. False by default.
  static var isOfEvents: Bool { get }
  /// Whether it must be opened before the other sources. It opens its device for a moment, and only one program at a
  /// time may do so. False by default.
  static var isOpenedFirst: Bool { get }

  /// The values of WHAT that are the same on every machine, for the completions of a shell.
  static var usual: [String] { get }
  /// Whether WHAT ends with `@PERIOD`. False by default.
  static var hasPeriod: Bool { get }
  /// The sources of this machine, for `sluice list`, `sluice doctor` and the completions of a shell. None by default.
  /// - Throws: The reason why they cannot be listed.
  static func found(_ roots: DeviceRoots) throws(SluiceError) -> [FoundSource]

  /// Parses WHAT without I/O. Nil if it is malformed.
  init?(_ what: String)
  /// The fault of a malformed WHAT; nil if ``form`` is enough for the error.
  static func reason(against what: String) -> String?
  /// The names of the settings that only this kind has. They are parts of WHAT: `reg,averages=8`. ``OwnSettings`` parses
  /// them. None by default. None may be `name`, `kind`, `what`, `stages`, or the name of one of ``keys``.
  static var ownSettings: [String] { get }
  /// The names of its own settings that have no value: `can0,fd`. None by default.
  static var ownFlags: [String] { get }
  /// Whether `name=value` belongs to WHAT. True for ``ownSettings`` by default; write it for names that are not known
  /// before, such as those of channels.
  static func takes(_ name: String, _ value: String) -> Bool
  /// Whether commas within quotes belong to WHAT, as in a command. False by default.
  static var isQuoted: Bool { get }

  /// The name of its stream, if it is known before the source is opened.
  var streamName: String? { get }
  /// What it will bring, as far as it is known before it is opened. It opens nothing, and may read sysfs. Nothing is known
  /// by default.
  func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast
  /// The files that it reads. None of them may be an output.
  func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String]
  /// Opens the source: one result per device. Nothing is read before the recording subscribes.
  /// - Throws: An error that says what was opened, what the system said, and what to do.
  func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource]
}

extension SourceKind {
  public static var keys: [SourceSettings.Key] { [] }
  public static var hasRoot: Bool { true }
  public static var isOfEvents: Bool { false }
  public static var isOpenedFirst: Bool { false }
  public static var usual: [String] { [] }
  public static var hasPeriod: Bool { false }
  public static func found(_ roots: DeviceRoots) -> [FoundSource] { [] }
  public static func reason(against what: String) -> String? { nil }
  public static var ownSettings: [String] { [] }
  public static var ownFlags: [String] { [] }
  public static func takes(_ name: String, _ value: String) -> Bool { ownSettings.contains(name) }
  public static var isQuoted: Bool { false }
  public var streamName: String? { nil }
  public func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast { SourceForecast() }
  public func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String] { [] }
}

/// A source that this machine has, for `sluice list`.
///
/// ```swift
/// FoundSource(what: "1-0048", description: "tmp102 at bus 1", files: ["/dev/i2c-1"])
/// ```
public struct FoundSource: Hashable, Sendable {
  /// WHAT in `KIND:WHAT`.
  public var what: String
  /// What it is, in a few words.
  public var description: String
  /// The files that a recording opens to read it. `sluice doctor` says whether this user may.
  public var files: [String]

  /// Describes a source.
  public init(what: String, description: String, files: [String] = []) {
    self.what = what
    self.description = description
    self.files = files
  }
}
