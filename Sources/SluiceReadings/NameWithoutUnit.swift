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
