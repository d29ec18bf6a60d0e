package import SluiceDevices
package import SluiceReadings

/// A kind of source: its text form, its settings, and its publisher.
///
/// A value of the type is the text after `KIND:`, parsed without I/O. A new kind is a file with a type of this
/// protocol, and a line in ``SourceKinds``.
package protocol SourceKind: Hashable, Sendable {
  /// `KIND` in `KIND:WHAT`.
  static var name: String { get }
  /// The form of WHAT.
  static var form: String { get }
  /// An example of WHAT that users can copy.
  static var example: String { get }
  /// The settings of one source of this kind.
  static var keys: [SourceSettings.Key] { get }
  /// Whether the folder of its device depends on `--root`.
  static var hasRoot: Bool { get }
  /// Whether its readings are events, so that no reading comes without an external cause.
  static var isOfEvents: Bool { get }
  /// Whether it must be opened before the other sources. It opens its device for a moment, and only one program at a
  /// time may do so.
  static var isOpenedFirst: Bool { get }

  /// The values of WHAT that are the same on every machine, for the completions of a shell.
  static var usual: [String] { get }
  /// Whether WHAT ends with `@PERIOD`.
  static var hasPeriod: Bool { get }

  /// Nil if WHAT is malformed.
  init?(_ what: String)
  /// The fault of a malformed WHAT; nil if ``form`` is enough for the error.
  static func reason(against what: String) -> String?
  /// Whether `name=value` belongs to WHAT, although it looks like a setting.
  static func takes(_ name: String, _ value: String) -> Bool

  /// The name of its stream, if it is known before the source is opened.
  var streamName: String? { get }
  /// The files that it reads. None of them may be an output.
  func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String]
  /// Opens the source: one result per device.
  func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [Source]
}

extension SourceKind {
  package static var hasRoot: Bool { true }
  package static var isOfEvents: Bool { false }
  package static var isOpenedFirst: Bool { false }
  package static var usual: [String] { [] }
  package static var hasPeriod: Bool { false }
  package static func reason(against what: String) -> String? { nil }
  package static func takes(_ name: String, _ value: String) -> Bool { false }
  package var streamName: String? { nil }
  package func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String] { [] }
}
