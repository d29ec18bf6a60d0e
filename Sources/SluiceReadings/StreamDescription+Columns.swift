extension StreamDescription {
  /// The titles of its columns in a wide file: `STREAM.channel`, or `STREAM` if it has one channel.
  package var columns: [String] { columns(withUnits: false) }

  /// - Parameter withUnits: Whether the unit follows the name: `imu.accel_x (m/s^2)`.
  package func columns(withUnits: Bool) -> [String] {
    let titles =
      hasForeignColumns ? channels.map(\.name) : channels.count == 1 ? [name] : channels.map { "\(name).\($0.name)" }
    guard withUnits else { return titles.map(Self.cell) }
    return zip(titles, channels).map { title, channel in
      guard let unit = channel.unit else { return Self.cell(title) }
      // The title of a foreign trace may have a unit already, which `--scale` may have changed.
      if title.hasSuffix(" (\(unit))") || ColumnTitle.unit(title) == unit { return Self.cell(title) }
      return Self.cell("\(ColumnTitle.trimmed(ColumnTitle.withoutUnit(title))) (\(unit))")
    }
  }

  /// A name in the form of a CSV cell: for a header, a row of the long layout, and the titles in the metadata.
  ///
  /// A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and names may come from foreign
  /// devices and files. So such a name gets a `_` before it. A control character or a line separator becomes a `_`, so
  /// that a row is one line.
  package static func cell(_ name: String) -> String {
    // By scalars, because `=` followed by a combining character is a different `Character`.
    let scalars = name.unicodeScalars
    let isFormula = scalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
    guard isFormula || name.hasControlCharacters else { return name }
    let cell = scalars.map { $0.isControl ? "_" : $0 }
    return (isFormula ? "_" : "") + String(String.UnicodeScalarView(cell))
  }

  /// A text that is no cell, such as a tag: no character in it breaks rows.
  package static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.hasControlCharacters else { return text }
    return String(String.UnicodeScalarView(scalars.map { $0.isControl ? "_" : $0 }))
  }
}
