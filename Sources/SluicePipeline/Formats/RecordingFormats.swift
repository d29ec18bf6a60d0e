public import SluiceReadings
public import SluiceRecording
import SluiceSystem

/// The registry of all formats.
public enum RecordingFormats {
  private static let own: [any RecordingFormat.Type] =
    [CSVFormat.self, JSONLinesFormat.self, VCDFormat.self, InfluxFormat.self] + LinkedKinds.all.formats
  /// The tables of `--excel`. They keep milliseconds only, so `--format` does not offer them.
  private static let tables: [any RecordingFormat.Type] = [EnglishSpreadsheetFormat.self, GermanSpreadsheetFormat.self]
  private static let more = AddedKinds<any RecordingFormat.Type>("format")

  package static var all: [any RecordingFormat.Type] { own + more.all }

  /// Adds a format. Plans then find it by its name, and outputs by the ending of their file name; an ending of one of
  /// this package's formats stays with that format. Call it before the first plan is read. Any thread
  /// may call it.
  ///
  /// ```swift
  /// try RecordingFormats.add(TabFormat.self)
  /// let output = OutputPlan("walk.tsv")
  /// ```
  /// - Throws: A `SluiceError` if a format has this name already, or if the name has other characters than small letters,
  ///   digits and hyphens, or if an ending is missing, is not in small letters, or is one of a compression.
  public static func add(_ format: any RecordingFormat.Type) throws(SluiceError) {
    let compressions = Compressions.all.map { $0.ending }
    let areWrong = format.extensions.contains { $0.isEmpty || $0 != $0.lowercased() || compressions.contains($0) }
    if format.extensions.isEmpty || areWrong {
      throw SluiceError(
        .usage, "add", "the format \"\(format.name)\"",
        because: "it needs an ending of file names, in small letters, that is not one of a compression")
    }
    try more.add(format, format.name, besides: own.map { $0.name })
  }

  /// Removes a format that ``add(_:)`` has added. For tests, which share one process.
  package static func remove(_ format: any RecordingFormat.Type) { more.remove(format.name) }

  /// The formats that a build may leave out, with their file name endings.
  private static let leftOut = [
    (name: "sqlite", extensions: ["db", "sqlite", "sqlite3"], setting: "SLUICE_SQLITE=0"),
    (name: "gzip", extensions: ["gz"], setting: "SLUICE_ARCHIVE=0"),
    (name: "zstd", extensions: ["zst"], setting: "SLUICE_ARCHIVE=0"),
  ]

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any RecordingFormat.Type)? {
    (all + tables).first { $0.name == name }
  }

  /// The format of an output with this path; CSV for a name that `checkName` refuses.
  package static func type(of path: String, _ format: String?) -> any RecordingFormat.Type {
    (format.map(named) ?? formatOfServer(path) ?? of(path)) ?? CSVFormat.self
  }

  /// The format that an output of this address always has; nil if it can have others.
  private static func formatOfServer(_ address: String) -> (any RecordingFormat.Type)? {
    OutputKinds.isNoPath(address) ? OutputKinds.kind(of: address).format.flatMap(named) : nil
  }

  /// The reason for refusing a path with the ending of another kind of file, and the remedy; nil for any other path. A
  /// program for such files could not read CSV.
  private static func foreign(_ path: String) -> (cause: String, remedy: String)? {
    switch ending(of: uncompressed(path)) {
    case "xls", "xlsx", "xlsm", "ods":
      ("sluice writes no workbooks", "write CSV, which spreadsheet programs open: --excel -o NAME.csv")
    case "parquet", "feather":
      (
        "sluice does not write this format",
        "write CSV, of which DuckDB makes Parquet: duckdb -c \"COPY (FROM 'NAME.csv') TO 'NAME.parquet'\""
      )
    case "arrow", "arrows", "avro", "orc", "bag", "h5", "hdf5", "mat", "tdms":
      ("sluice does not write this format", "write a database or CSV, which other programs convert: -o NAME.db")
    default: nil
    }
  }

  /// - Throws: If this build does not have the format, or if no build can write to such a path: a URL, a spreadsheet.
  static func check(_ path: String, _ name: String?) throws(SluiceError) {
    if let scheme = path.firstRange(of: "://").map({ path[..<$0.lowerBound] }), !scheme.isEmpty,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
    {
      if OutputKinds.isBroker(path) {
        throw SluiceError(
          .unsupported, "send to", path,
          because: "this sluice was built without libmosquitto (SLUICE_MQTT=0 or SLUICE_CURL=0)",
          remedy: "build it without that setting")
      }
      if OutputKinds.isServer(path) {
        throw SluiceError(
          .unsupported, "send to", path, because: "this sluice was built without libcurl (SLUICE_CURL=0)",
          remedy: "build it without that setting")
      }
      throw SluiceError(
        .unsupported, "write", path,
        because:
          "an output is a file, a pipe, a server (http:// or https://)\(OutputKinds.hasMore ? "," : " or") a broker (mqtt:// or mqtts://)\(OutputKinds.hasMore ? " or what a kind of this program takes, and none takes this address" : "")",
        remedy: "write to standard output with -o - --format jsonl, and pipe it into a program that sends lines")
    }
    if let name, tables.contains(where: { $0.name == name }), let ending = ending(of: uncompressed(path)),
      of(path).map({ $0 != CSVFormat.self }) ?? (foreign(path) != nil)
    {
      throw SluiceError(
        .usage, "write", path, because: "--excel writes CSV, and its name ends in .\(ending)",
        remedy: "give a name that ends in .csv, which spreadsheet programs open")
    }
    if name == nil, of(path) == nil, let (cause, remedy) = foreign(path) {
      throw SluiceError(.unsupported, "write", path, because: cause, remedy: remedy)
    }
    let compression = ending(of: path) ?? ""
    let given = name ?? ending(of: uncompressed(path)) ?? ""
    let there = names + Compressions.all.map { $0.name }
    let format = leftOut.first { format in
      !there.contains(format.name) && !(name == nil && more.all.contains { $0.extensions.contains(given) })
        && (format.name == given || format.extensions.contains { $0 == given || $0 == compression })
    }
    guard let format else { return }
    throw SluiceError(
      .unsupported, "write", path, because: "this sluice was built without \(format.name) (\(format.setting))",
      remedy: "build it without that setting")
  }

  /// - Throws: If there is no format of this name.
  static func checkName(of path: String, _ name: String?) throws(SluiceError) {
    guard let name, named(name) == nil else { return }
    let hint = nearest(to: name, among: names).map { "did you mean \($0)?" }
    throw SluiceError(
      .usage, "write", path, because: "there is no format \"\(name)\"",
      remedy: hint ?? "the formats are \(names.joined(separator: ", "))")
  }

  /// The format for the ending of a file name; nil if there is none.
  static func of(_ path: String) -> (any RecordingFormat.Type)? {
    if OutputKinds.isNoPath(path) { return nil }
    return ending(of: uncompressed(path)).flatMap { ending in all.first { $0.extensions.contains(ending) } }
  }

  /// The compression for the ending of a file name; nil if the file is not compressed.
  package static func compression(of path: String) -> (any Compression.Type)? {
    guard path != "-", !path.hasSuffix("/"), !OutputKinds.isNoPath(path) else { return nil }
    return ending(of: path).flatMap { ending in Compressions.all.first { $0.ending == ending } }
  }

  /// The path without the ending of a compression: `walk.csv` for `walk.csv.gz`.
  private static func uncompressed(_ path: String) -> String {
    compression(of: path).map { String(path.dropLast($0.ending.count + 1)) } ?? path
  }

  /// A message that no format has the ending of this path, so that it is written as CSV; nil for a known ending.
  static func notice(for path: String) -> String? {
    guard let ending = ending(of: uncompressed(path)), path != "-", !path.hasSuffix("/"), of(path) == nil else {
      return nil
    }
    guard !["txt", "log", "dat", "tmp"].contains(ending), !(FileIdentity(path: path)?.isDirectory ?? false) else {
      return nil
    }
    return "\(path) is written as CSV, because no format has the ending .\(ending); --format says another"
  }

  private static func ending(of path: String) -> String? {
    let name = fileName(of: path)
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...].lowercased() }
  }
}
