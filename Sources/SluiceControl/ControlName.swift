import SluicePipeline
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The name by which `sluice ctl` finds a recording. Two running recordings of one user cannot have the same name.
package struct ControlName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// A name that the user has given.
  /// - Throws: What is wrong with the name.
  package init(_ text: String) throws(SluiceError) {
    if let fault = RecordingPlan.nameFault(text) {
      throw SluiceError(
        .usage, "name the recording", text.isEmpty ? "with an empty text" : "\"\(text)\"", because: fault,
        remedy: "give a short word, such as --name cellar")
    }
    description = text
  }

  /// The name of a recording to which the user gave none. It is the name of its first output that is a file or a
  /// folder, without the folder and the ending. If there is no such output, it is the process ID.
  package init(outputs: [String], process: Int32 = getpid()) {
    let first = outputs.first { path in
      path != "-" && OutputKinds.kind(of: path).hasFiles
        && FileIdentity(path: path).map { $0.isRegular || $0.isDirectory } ?? true
    }
    let stem = first.map(Self.stem) ?? ""
    description = RecordingPlan.nameFault(stem) == nil ? stem : "\(process)"
  }

  /// `walk` for `data/walk.csv`, `data/walk.csv.gz` and `data/walk/`.
  static func stem(_ path: String) -> String {
    var name = fileName(of: path)
    guard !path.hasSuffix("/") else { return name }
    for ending in Compressions.all.map({ ".\($0.ending)" }) where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name
  }

  package static func == (a: ControlName, b: ControlName) -> Bool {
    // A file system compares bytes: two spellings of é are two names.
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }
}
