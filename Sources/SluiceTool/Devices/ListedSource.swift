import SluicePipeline

/// What can be recorded of a device, as it is written behind `KIND:`. A shell offers it at the Tab key.
struct ListedSource: Equatable {
  struct Part: Equatable {
    let name: String
    /// For a reader, such as `line 3`.
    let what: String
  }

  /// The name of the kind of source: `gpio`.
  let kind: String
  /// The names of the device, the one to offer first: `gpiochip0`.
  var names: [String]
  /// For a reader, such as `8 lines`.
  let what: String
  /// Lines, channels or events, which stand behind the device.
  var parts: [Part] = []

  init(_ kind: any SourceKind.Type, _ names: [String], _ what: String, _ parts: [Part] = []) {
    (self.kind, self.names, self.what, self.parts) = (kind.name, names, what, parts)
  }
}
