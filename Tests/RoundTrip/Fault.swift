/// A fault of a pipeline, in words.
struct Fault: Error {
  var text: String

  init(_ text: String) { self.text = text }
}

/// The first difference between two lists of rows, in words; nil if they are the same.
func difference(_ found: Contents, _ expected: Contents) -> String? {
  if found == expected { return nil }
  if found.streams != expected.streams {
    return "the streams are \(names(found)), and not \(names(expected))"
  }
  if let row = zip(found.rows, expected.rows).enumerated().first(where: { $1.0 != $1.1 }) {
    return "reading \(row.offset + 1) is \(text(row.element.0, found)), and not \(text(row.element.1, expected))"
  }
  let (more, last) = found.rows.count > expected.rows.count ? (found, "more") : (expected, "missing")
  let next = more.rows[min(found.rows.count, expected.rows.count)]
  return
    "there are \(found.rows.count) readings, and not \(expected.rows.count); the first that is \(last) is \(text(next, more))"
}

private func names(_ contents: Contents) -> String {
  contents.streams.map { stream in
    let channels = stream.channels.map { channel in
      let unit = channel.unit.map { " in \(String(decoding: $0, as: UTF8.self))" } ?? ""
      return String(decoding: channel.name, as: UTF8.self).debugDescription + unit
        + (channel.isLevel ? " (a level)" : "")
    }
    return "\(String(decoding: stream.name, as: UTF8.self).debugDescription) [\(channels.joined(separator: ", "))]"
  }.joined(separator: "; ")
}

private func text(_ row: Contents.Row, _ contents: Contents) -> String {
  let name = String(decoding: contents.streams[row.stream].name, as: UTF8.self)
  let values = row.values.map { $0?.text ?? "none" }.joined(separator: ", ")
  return "\(row.time) \(name.debugDescription) [\(values)] flags \(row.flags.rawValue)"
}
