@_spi(Preview) import SluicePipeline
package import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceSystem

/// The name by which `sluice ctl` finds a recording. Two recordings of one user cannot have the same at a time.
package struct ControlName: Hashable, Sendable, CustomStringConvertible {
  /// The most bytes of a name: with it, the path of a socket still fits into a usual folder.
  package static let longest = 48

  package let description: String

  /// A name that somebody has given.
  /// - Throws: What is wrong with it.
  package init(_ text: String) throws(SluiceError) {
    if let fault = Self.fault(text) {
      throw SluiceError(
        .usage, "name the recording", text.isEmpty ? "with an empty text" : "\"\(text)\"", because: fault,
        remedy: "give a short word, such as --name cellar")
    }
    description = text
  }

  /// The name of a recording that was given none: that of its first output that is a file or a folder, without folder and
  /// ending; or else the id of the process.
  package init(outputs: [String], process: Int32 = getpid()) {
    let first = outputs.first { path in
      path != "-" && OutputKinds.kind(of: path).hasFiles
        && FileIdentity(path: path).map { $0.isRegular || $0.isDirectory } ?? true
    }
    let stem = first.map(Self.stem) ?? ""
    description = Self.fault(stem) == nil ? stem : "\(process)"
  }

  /// `walk` for `data/walk.csv`, `data/walk.csv.gz` and `data/walk/`.
  static func stem(_ path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? ""
    guard !path.hasSuffix("/") else { return name }
    for ending in Compressions.all.map({ ".\($0.ending)" }) where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name
  }

  private static func fault(_ text: String) -> String? {
    if text.isEmpty { return "it has no character" }
    if text.utf8.count > longest { return "it has more than \(longest) bytes" }
    if text.utf8.contains(UInt8(ascii: "/")) { return "it has a slash" }
    if text.utf8.first == UInt8(ascii: ".") { return "it begins with a dot" }
    if text.utf8.first == UInt8(ascii: "-") { return "it begins like an option" }
    let isSeparator: (Unicode.Scalar) -> Bool = { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    return text.unicodeScalars.contains(where: isSeparator) ? "it has a character that does not show" : nil
  }

  package static func == (a: ControlName, b: ControlName) -> Bool {
    // A file system compares bytes: two spellings of é are two names.
    a.description.utf8.elementsEqual(b.description.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }
}
