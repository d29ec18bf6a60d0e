/// Names of tables, or of the columns of one table, that are different in SQLite. For SQLite, `A` and `a` are the same.
struct SQLiteNames {
  private var taken: Set<[UInt8]>

  init(_ taken: [String]) { self.taken = Set(taken.map(Self.folded)) }

  /// Names that the columns of a stream cannot have: the columns of every table, and SQLite's names for the first of
  /// them.
  static let columns = SQLiteNames(["id", "time_ns", "flags", "rowid", "oid", "_rowid_"])

  mutating func insert(_ name: String) { taken.insert(Self.folded(name)) }

  /// The name itself if it is free, or a similar name. Later calls treat the result as taken.
  /// - Parameter placeholder: The name in place of an empty name.
  mutating func distinct(_ name: String, or placeholder: String) -> String {
    // A statement ends at a NUL byte.
    let base =
      name.isEmpty ? placeholder : String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "_" : $0 }))
    var distinct = base
    var number = 2
    while taken.contains(Self.folded(distinct)) {
      distinct = "\(base)_\(number)"
      number += 1
    }
    insert(distinct)
    return distinct
  }

  /// A free name for a table. Names that begin with `sqlite_` belong to SQLite, and those with `sluice_` to this
  /// format.
  mutating func distinctTable(_ name: String) -> String {
    let start = Self.folded(name).prefix(7)
    let isReserved = start.elementsEqual("sqlite_".utf8) || start.elementsEqual("sluice_".utf8)
    return distinct(isReserved ? "_" + name : name, or: "stream")
  }

  /// A name quoted for a statement.
  ///
  /// By bytes, because a quote with an accent is a different `Character`.
  static func quoted(_ name: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in name.utf8 {
      bytes.append(byte)
      if byte == 0x22 { bytes.append(byte) }
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name for comparisons: SQLite ignores the case of ASCII letters only.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
  }
}
