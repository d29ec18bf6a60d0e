import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The file of `--stats FILE`. It replaces only an empty file or an earlier account, because a recording, its metadata,
/// a plan or a source may have any name.
enum AccountFile {
  /// Checks before a run that the account can be written after it.
  /// - Parameter files: The files that are read or written. The name of a metadata file is the name of its file with an
  ///   ending.
  static func check(_ path: String, isNoneOf files: [String]) throws(SluiceError) {
    let identity = FileIdentity(path: path)
    for file in files where file != "-" {
      let endings = ["", MetadataFile.suffix, RunsFile.suffix, PartIndex.suffix]
      let isSame = identity.map { $0.keepsBytes && $0 == FileIdentity(path: file) } ?? false
      let isNamed = identity?.keepsBytes ?? true && endings.contains { path == file + $0 }
      guard isSame || isNamed else { continue }
      throw SluiceError(
        .usage, "write", path, because: "it is a file of this run", remedy: "give a file of another name")
    }
    try checkReplaceable(path)
    try WholeFile.check(path)
  }

  /// Writes the account. This checks the path again, because the run itself may have made a file there.
  static func write(_ account: Account, to path: String) throws(SluiceError) {
    try checkReplaceable(path)
    try WholeFile.write(account.json.text + "\n", to: path)
  }

  private static func checkReplaceable(_ path: String) throws(SluiceError) {
    guard FileIdentity(path: path)?.isRegular ?? false,
      let beginning = try? SystemFiles().contents(of: path, limit: 64), !beginning.isEmpty, !isAccount(beginning)
    else { return }
    throw SluiceError(
      .usage, "write", path, because: "the file is there already, and it is no account",
      remedy: "give a file of another name")
  }

  /// Whether a file begins like an ``Account`` in JSON: `{"version": 1, "command": ...`.
  private static func isAccount(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    guard text.hasPrefix(#"{"version": "#) else { return false }
    return text.dropFirst(#"{"version": "#.count).drop(while: \.isNumber).hasPrefix(#", "command": ""#)
  }
}
