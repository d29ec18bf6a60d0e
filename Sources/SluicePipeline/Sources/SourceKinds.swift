import Sluice
public import SluiceReadings

/// The registry of all kinds of sources.
@_spi(Preview) public enum SourceKinds {
  private static let own: [any SourceKind.Type] = [
    GPIOSource.self, GPIONameSource.self, GPIOValuesSource.self, IIOSource.self, IIOEventsSource.self,
    PolledSource.self, TimerSource.self, SimulatedSource.self,
  ]
  private static let more = Locked<[any SourceKind.Type]>([])

  package static var all: [any SourceKind.Type] { own + added }
  /// The kinds of ``add(_:)``.
  package static var added: [any SourceKind.Type] { more.withLock { $0 } }

  static func isAdded(_ kind: any SourceKind.Type) -> Bool { added.contains { $0.name == kind.name } }

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any SourceKind.Type)? { all.first { $0.name == name } }

  /// Makes a kind known to plans, and to the text form of sources. Call it before the first of them is parsed. Any
  /// thread may call it.
  ///
  /// ```swift
  /// try SourceKinds.add(ThermometerKind.self)
  /// let source = try SourceSpec("thermometer:/sys/bus/i2c/devices/1-0048/temp")
  /// ```
  /// - Throws: A `SluiceError` if there is such a kind already, or if its name cannot be written before a colon.
  public static func add(_ kind: any SourceKind.Type) throws(SluiceError) {
    func refused(_ cause: String) -> SluiceError {
      SluiceError(
        .usage, "add", "the kind of source \"\(kind.name)\"", because: cause, remedy: "give it another name")
    }
    let allowed = kind.name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    if kind.name.isEmpty || !allowed { throw refused("a name has small letters, digits and hyphens") }
    if own.contains(where: { $0.name == kind.name }) { throw refused("sluice has a kind of this name") }
    let isNew = more.withLock { kinds in
      guard !kinds.contains(where: { $0.name == kind.name }) else { return false }
      kinds.append(kind)
      return true
    }
    if !isNew { throw refused("it was added before") }
  }

  /// Forgets a kind of ``add(_:)``, for tests of one process.
  package static func remove(_ kind: any SourceKind.Type) {
    more.withLock { $0.removeAll { $0.name == kind.name } }
  }
}
