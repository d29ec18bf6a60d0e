extension StreamDescription {
  /// The titles of its columns in a wide file: `STREAM.channel`, or `STREAM` if it has one channel.
  package var columns: [String] {
    if hasForeignColumns { return channels.map(\.name) }
    return channels.count == 1 ? [name] : channels.map { "\(name).\($0.name)" }
  }
}
