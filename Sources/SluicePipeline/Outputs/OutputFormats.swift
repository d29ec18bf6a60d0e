import SluiceReadings
package import SluiceRecording

#if SLUICE_SQLITE
  import SluiceSQLite
#endif

/// Every format that there is.
package enum OutputFormats {
  package static let all: [any OutputFormat.Type] =
    [CSVFormat.self, JSONLinesFormat.self, VCDFormat.self, InfluxFormat.self] + databases

  #if SLUICE_SQLITE
    private static let databases: [any OutputFormat.Type] = [SQLiteFormat.self]
    /// The version of SQLite; nil if this build has none.
    package static var databaseVersion: String? { SQLiteFormat.libraryVersion }
  #else
    private static let databases: [any OutputFormat.Type] = []
    package static var databaseVersion: String? { nil }
  #endif

  /// The formats that a build may leave out, with the endings of their files.
  private static let leftOut = [(name: "sqlite", extensions: ["db", "sqlite", "sqlite3"], library: "libsqlite3-dev")]

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any OutputFormat.Type)? { all.first { $0.name == name } }

  /// Whether an output would be CSV, the only format with layouts.
  package static func hasLayout(_ path: String, _ format: String?) -> Bool {
    type(of: path, format) == CSVFormat.self
  }

  /// The format that an output would have.
  package static func type(of path: String, _ format: String?) -> any OutputFormat.Type {
    format.flatMap(named) ?? of(path) ?? CSVFormat.self
  }

  /// - Throws: If this build has left the format out.
  static func check(_ path: String, _ name: String?) throws(SluiceError) {
    let given = name ?? ending(of: path) ?? ""
    guard let format = leftOut.first(where: { $0.name == given || $0.extensions.contains(given) }) else { return }
    guard named(format.name) == nil else { return }
    throw SluiceError(
      .unsupported, "write", path, because: "this sluice was built without \(format.name)",
      remedy: "install \(format.library) and build sluice again")
  }

  /// The format whose ending the file's name has; nil if there is none.
  static func of(_ path: String) -> (any OutputFormat.Type)? {
    ending(of: path).flatMap { ending in all.first { $0.extensions.contains(ending) } }
  }

  /// That a name looks like one of a format that there is not; nil if it does not.
  static func notice(for path: String) -> String? {
    guard let ending = ending(of: path), path != "-", !path.hasSuffix("/"), of(path) == nil else { return nil }
    guard !["txt", "log", "dat", "tmp"].contains(ending), !(FileIdentity(path: path)?.isDirectory ?? false) else {
      return nil
    }
    return "\(path) is written as CSV, because no format has the ending .\(ending); --format says another"
  }

  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
  }
}
