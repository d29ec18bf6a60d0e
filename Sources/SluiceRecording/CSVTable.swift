import SluiceReadings

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
    var name = String(stream.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
    // A file whose name begins with a dot is hidden.
    if name.first == "." { name = "_" + name.dropFirst() }
    return name.isEmpty ? "_" : name
  }

  /// A column of a wide file belongs to one channel.
  func checkColumns(_ streams: [StreamDescription]) throws(SluiceError) {
    // A foreign trace keeps its headers, whatever they are.
    guard layout == .wide, !(self.streams.count == 1 && streams[self.streams.lowerBound].hasForeignColumns) else {
      return
    }
    var seen: Set = ["time_ns"]
    for column in streams[self.streams].flatMap(\.columns) where !seen.insert(column).inserted {
      throw SluiceError(
        .usage, "write", path, because: "two columns would be called \"\(column)\"",
        remedy: "give a source another name, or take the long layout")
    }
  }
}

extension CSVDestination {
  /// The files of these streams.
  /// - Throws: If two streams would go to one file of a folder, or two channels to one column.
  package func tables(for streams: [StreamDescription]) throws(SluiceError) -> [CSVTable] {
    let tables =
      switch self {
      case .file(let path, let layout): [CSVTable(path: path, layout: layout, streams: streams.indices)]
      case .directory(let folder, let layout):
        streams.enumerated().map { index, stream in
          CSVTable(path: "\(folder)/\(CSVTable.name(stream.name)).csv", layout: layout, streams: index..<index + 1)
        }
      }
    var owners: [String: String] = [:]
    for table in tables where tables.count > 1 {
      let stream = streams[table.streams.lowerBound].name
      if let other = owners.updateValue(stream, forKey: table.path) {
        throw SluiceError(
          .usage, "write", table.path, because: "it would be the file of two streams, \"\(other)\" and \"\(stream)\"",
          remedy: "give one of their sources another name: NAME=KIND:WHAT")
      }
    }
    for table in tables { try table.checkColumns(streams) }
    return tables
  }
}
