extension StreamDescription {
  /// The place of the only channel with a name without its unit. If a stream has `Temp (°C)` and `Temp (°F)`, neither of them
  /// is `Temp`.
  package func place(ofChannelWithoutUnit name: String) -> Int? {
    let places = channels.indices.filter { channels[$0].nameWithoutUnit.isExactly(name) }
    return places.count == 1 ? places[0] : nil
  }
}

extension StreamDescription.Channel {
  /// The name of a column of another program without its unit: of `Gyroscope X (deg/s)`, `Gyroscope X`.
  package var nameWithoutUnit: String {
    guard let unit else { return name }
    for suffix in [" (\(unit))", "(\(unit))", " [\(unit)]"] where name.hasSuffix(suffix) && name != suffix {
      return String(name.dropLast(suffix.count))
    }
    return name
  }
}
