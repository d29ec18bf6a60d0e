package import SluiceDevices
package import SluiceReadings

/// A kind of source: how it is written, what can be set for it, and how it is opened.
///
/// Its values are what stands behind `KIND:`, parsed without I/O. A new kind is a file with a type of this protocol, and
/// its line in ``SourceKinds``.
package protocol SourceKind: Hashable, Sendable {
  /// `KIND` in `KIND:WHAT`.
  static var name: String { get }
  /// What WHAT looks like.
  static var form: String { get }
  /// A WHAT that a reader can take over.
  static var example: String { get }
  /// What can be set for one source of this kind.
  static var keys: [SourceSettings.Key] { get }
  /// Whether it is found where `--root` says.
  static var hasRoot: Bool { get }
  /// Whether its readings are events, so that nothing comes unless something outside causes it.
  static var isOfEvents: Bool { get }
  /// Whether it is to be opened before the others: it opens its device for a moment, which only one program may do at a
  /// time.
  static var isOpenedFirst: Bool { get }

  /// WHATs that are the same on every machine, for the completions of a shell.
  static var usual: [String] { get }
  /// Whether WHAT ends with `@PERIOD`.
  static var hasPeriod: Bool { get }

  /// Nil if it is none.
  init?(_ what: String)
  /// Why WHAT is none, where more can be said than what it looks like.
  static func reason(against what: String) -> String?
  /// Whether `name=value` belongs to WHAT, though it looks like a setting.
  static func takes(_ name: String, _ value: String) -> Bool

  /// What its stream is called, if that is known before it is opened.
  var streamName: String? { get }
  /// The files that it reads, none of which may be written.
  func inputs(_ roots: DeviceRoots) throws(SluiceError) -> [String]
  /// A source for each device.
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
