/// WHAT of a source whose kind has settings of its own: `can0,dbc=car.dbc,fd`.
///
/// A kind names them in ``SourceKind/ownSettings`` and ``SourceKind/ownFlags``, and parses them in `init?(_:)`.
///
/// ```swift
/// static let (ownSettings, ownFlags) = (["period"], ["fast"])
///
/// init?(_ what: String) {
///   guard let text = OwnSettings(what, names: Self.ownSettings, flags: Self.ownFlags) else { return nil }
///   (file, period, isFast) = (text.what, text["period"] ?? "1s", text.has("fast"))
/// }
/// ```
public struct OwnSettings: Hashable, Sendable {
  /// The text before the first comma.
  public let what: String
  private var values: [String: String] = [:]
  private var set: Set<String> = []

  /// Parses WHAT. Nil if something in it is no setting of the kind, or is there twice.
  /// - Parameters:
  ///   - names: The settings with a value: `name=value`.
  ///   - flags: The settings without a value.
  public init?(_ text: String, names: [String], flags: [String] = []) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    what = String(parts[0])
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard (pair.count == 2 ? names : flags).contains(pair[0]), set.insert(pair[0]).inserted else { return nil }
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
  }

  /// The value of a setting; nil if it is not set.
  public subscript(name: String) -> String? { values[name] }

  /// Whether a flag is set.
  public func has(_ flag: String) -> Bool { set.contains(flag) }
}
