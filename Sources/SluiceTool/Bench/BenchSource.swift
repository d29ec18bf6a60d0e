import SluicePipeline

/// A source to measure. Its text is its name in the results.
struct BenchSource {
  var spec: SourceSpec
  /// The text of the user. After an option it begins with the name of the kind.
  let text: String

  /// - Parameter text: As in `gpio:gpiochip0:3`.
  init(_ text: String) throws {
    spec = try SourceSpec(argument: text)
    self.text = text
  }

  /// - Parameter text: As in `--gpio gpiochip0:3`.
  init(_ text: String, of kind: any SourceKind.Type) throws {
    spec = try SourceSpec(text, of: kind)
    self.text = "\(kind.name):\(text)"
  }
}

extension DeviceSpec {
  /// The device and its parts, as a user writes them.
  var text: String { device + (parts.isEmpty ? "" : ":" + parts.joined(separator: ",")) }
}
