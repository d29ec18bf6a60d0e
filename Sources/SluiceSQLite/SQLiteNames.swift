/// Names of tables, or of the columns of one table, that SQLite can tell apart: it takes `A` and `a` for the same.
struct SQLiteNames {
  private var taken: Set<[UInt8]>

  init(_ taken: [String]) { self.taken = Set(taken.map(Self.folded)) }

  /// What the columns of a stream cannot be called: columns that each table has, and what SQLite calls the first of them.
  static let columns = SQLiteNames(["id", "time_ns", "flags", "rowid", "oid", "_rowid_"])

  mutating func insert(_ name: String) { taken.insert(Self.folded(name)) }

  /// The name itself where it is free, or one like it; it is taken from now on.
  /// - Parameter placeholder: For an empty name.
  mutating func distinct(_ name: String, or placeholder: String) -> String {
    // A statement ends at a NUL.
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

  /// The same for a table. Names that begin with `sqlite_` are SQLite's, and those with `sluice_` are ours.
  mutating func distinctTable(_ name: String) -> String {
    let start = Self.folded(name).prefix(7)
    let isReserved = start.elementsEqual("sqlite_".utf8) || start.elementsEqual("sluice_".utf8)
    return distinct(isReserved ? "_" + name : name, or: "stream")
  }

  /// A name as it stands in a statement.
  ///
  /// By bytes: as a `Character`, a quote with an accent on it is no quote.
  static func quoted(_ name: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in name.utf8 {
      bytes.append(byte)
      if byte == 0x22 { bytes.append(byte) }
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// SQLite ignores case in ASCII only.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
  }
}
