/// One file of a recording, and the streams whose rows it has.
package struct CSVTable: Hashable, Sendable {
  package var path: String
  package var layout: CSVLayout
  /// Those of all streams.
  package var streams: Range<Int>

  package init(path: String, layout: CSVLayout, streams: Range<Int>) {
    self.path = path
    self.layout = layout
    self.streams = streams
  }

  /// A file name that is valid everywhere.
  static func name(_ stream: String) -> String {
    let name = String(stream.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
    return name.isEmpty || name.allSatisfy({ $0 == "." }) ? "_" : name
  }
}

extension CSVDestination {
  /// The files of these streams.
  package func tables(for streams: [StreamDescription]) -> [CSVTable] {
    switch self {
    case .file(let path, let layout):
      [CSVTable(path: path, layout: layout, streams: streams.indices)]
    case .directory(let folder):
      streams.enumerated().map { index, stream in
        CSVTable(path: "\(folder)/\(CSVTable.name(stream.name)).csv", layout: .wide, streams: index..<index + 1)
      }
    }
  }
}
