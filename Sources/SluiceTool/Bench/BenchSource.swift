import SluicePipeline

/// A source to measure, with its text as a name for it.
struct BenchSource {
  var spec: SourceSpec
  /// As it was written, behind an option after its name.
  let text: String

  /// `gpio:gpiochip0:3`
  init(_ text: String) throws {
    spec = try SourceSpec(argument: text)
    self.text = text
  }

  /// `gpiochip0:3` behind `--gpio`.
  init(_ text: String, of kind: any SourceKind.Type) throws {
    spec = try SourceSpec(text, of: kind)
    self.text = "\(kind.name):\(text)"
  }
}

extension DeviceSpec {
  /// As it is written.
  var text: String { device + (parts.isEmpty ? "" : ":" + parts.joined(separator: ",")) }
}
