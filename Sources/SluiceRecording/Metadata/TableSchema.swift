package import SluiceReadings

/// The columns of a CSV file, in W3C's Metadata Vocabulary for Tabular Data.
package struct TableSchema: Equatable, Codable {
  package struct Column: Equatable {
    /// The title as a name, which is unique.
    package var name = ""
    /// The title in the header of the file.
    package var title: String
    /// A datatype of the standard, which takes them from XML Schema.
    package var datatype: String
    package var isRequired = false
    package var unit: String?
  }

  package var columns: [Column]

  /// - Parameters:
  ///   - isWhole: By stream, whether its values are whole numbers before offset and scale.
  ///   - raw: Whether values are written without offset and scale.
  package init(
    _ layout: CSVLayout, _ streams: [StreamDescription], isWhole: [Bool], raw: Bool, style: RowStyle = RowStyle()
  ) {
    let time = Self.column(style.time)
    switch layout {
    case .wide:
      columns = [time]
      for (stream, isWhole) in zip(streams, isWhole) {
        columns += zip(stream.columns(withUnits: style.headerUnits), stream.channels).map { title, channel in
          Column(
            title: title, datatype: channel.datatype(isWhole: isWhole, raw: raw),
            unit: raw && !channel.isUnscaled ? nil : channel.unit)
        }
      }
    case .long:
      let types = zip(streams, isWhole).flatMap { stream, isWhole in
        stream.channels.map { $0.datatype(isWhole: isWhole, raw: raw) }
      }
      columns = [
        time, Column(title: "stream", datatype: "string", isRequired: true),
        Column(title: "channel", datatype: "string", isRequired: true),
        Column(title: "value", datatype: types.contains("decimal") ? "decimal" : "integer"),
      ]
    }
    var names: Set<String> = []
    for index in columns.indices {
      columns[index].name = Self.name(columns[index].title)
      // Names must be unique, but titles need not be.
      while !names.insert(columns[index].name).inserted { columns[index].name += ".\(index + 1)" }
    }
  }

  private static func column(_ time: RowTime) -> Column {
    switch time {
    case .nanoseconds: Column(title: time.column, datatype: "long", isRequired: true, unit: "ns")
    case .relative: Column(title: time.column, datatype: "decimal", isRequired: true, unit: "s")
    case .iso: Column(title: time.column, datatype: "dateTimeStamp", isRequired: true)
    }
  }

  /// A name that the standard allows: a variable of a URI template (RFC 6570), without a leading underscore.
  package static func name(_ title: String) -> String {
    let name = percentEncoded(title) { $0 == UInt8(ascii: "_") }
    if name.isEmpty { return "%20" }
    return name.hasPrefix("_") ? "%5F" + name.dropFirst() : name
  }
}

extension TableSchema.Column: Codable {
  private enum CodingKeys: String, CodingKey {
    case name
    case title = "titles"
    case datatype
    case isRequired = "required"
    case unit = "schema:unitText"
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    // The standard allows one title, several titles, or titles for each language.
    if let title = try? members.decode(String.self, forKey: .title) {
      self.title = title
    } else if let titles = try? members.decode([String].self, forKey: .title), let title = titles.first {
      self.title = title
    } else {
      title = try members.decodeIfPresent(String.self, forKey: .name) ?? ""
    }
    // No reader of the trace needs the rest, and the standard allows other forms of it.
    name = (try? members.decode(String.self, forKey: .name)) ?? ""
    datatype = (try? members.decode(String.self, forKey: .datatype)) ?? ""
    isRequired = (try? members.decode(Bool.self, forKey: .isRequired)) ?? false
    unit = try? members.decode(String.self, forKey: .unit)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .name)
    try members.encode(title, forKey: .title)
    try members.encode(datatype, forKey: .datatype)
    if isRequired { try members.encode(true, forKey: .isRequired) }
    try members.encodeIfPresent(unit, forKey: .unit)
  }
}

extension StreamDescription.Channel {
  /// Whether offset and scale change nothing.
  fileprivate var isUnscaled: Bool { scale == .one && offset.significand == 0 }

  /// The datatype. A scale without decimals keeps whole numbers whole.
  fileprivate func datatype(isWhole: Bool, raw: Bool) -> String {
    isWhole && (raw || isUnscaled || (scale.exponent >= 0 && offset.exponent >= 0)) ? "integer" : "decimal"
  }
}

/// Percent-encodes all bytes except ASCII letters, digits, and the allowed bytes.
package func percentEncoded(_ text: String, allowed: (UInt8) -> Bool) -> String {
  var encoded = ""
  for byte in text.utf8 {
    let isAlphanumeric = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    if isAlphanumeric || allowed(byte) {
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }
  }
  return encoded
}
