import SluiceRecording

/// Every format that there is.
package enum OutputFormats {
  package static let all: [any OutputFormat.Type] = [CSVFormat.self, JSONLinesFormat.self]

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any OutputFormat.Type)? { all.first { $0.name == name } }

  /// The format that the name of a file ends in; nil if it ends in none of theirs.
  static func of(_ path: String) -> (any OutputFormat.Type)? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return all.first { $0.extensions.contains(ending) }
  }
}
