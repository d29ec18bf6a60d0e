public import SluiceReadings
import SluiceRecording

/// The registry of all kinds of sources.
public enum SourceKinds {
  private static let own: [any SourceKind.Type] = [
    GPIOSource.self, GPIONameSource.self, GPIOValuesSource.self, IIOSource.self, IIOEventsSource.self,
    InputSource.self, PPSSource.self, CANSource.self, LinesSource.self, SerialSource.self, ProgramSource.self,
    TCPSource.self, UDPSource.self, PolledSource.self, TimerSource.self, SimulatedSource.self, MarkSource.self,
  ]
  private static let more = AddedKinds<any SourceKind.Type>("kind of source")

  package static var all: [any SourceKind.Type] { own + added }
  /// The kinds of ``add(_:)``.
  package static var added: [any SourceKind.Type] { more.all }

  /// Whether it is a kind of ``add(_:)``.
  package static func isAdded(_ kind: any SourceKind.Type) -> Bool { more.names.contains(kind.name) }

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any SourceKind.Type)? { all.first { $0.name == name } }

  /// Makes a kind known to plans, and to the text form of sources. Call it before the first of them is parsed. Any
  /// thread may call it.
  ///
  /// ```swift
  /// try SourceKinds.add(ThermometerKind.self)
  /// let source = try SourceSpec("thermometer:/sys/bus/i2c/devices/1-0048/temp")
  /// ```
  /// - Throws: A `SluiceError` if a kind has this name already, if the name has other characters than small letters,
  ///   digits and hyphens, or if a setting of its own has a name that plans use.
  public static func add(_ kind: any SourceKind.Type) throws(SluiceError) {
    let taken = Set(["kind", "what", "name", "stages"] + kind.keys.map(\.name))
    if let name = (kind.ownSettings + kind.ownFlags).first(where: taken.contains) {
      throw SluiceError(
        .usage, "add", "the kind of source \"\(kind.name)\"", because: "a plan has something else under \"\(name)\"",
        remedy: "give this setting another name")
    }
    try more.add(kind, kind.name, besides: own.map { $0.name })
  }

  /// Removes a kind that ``add(_:)`` has added. For tests, which share one process.
  package static func remove(_ kind: any SourceKind.Type) { more.remove(kind.name) }
}
