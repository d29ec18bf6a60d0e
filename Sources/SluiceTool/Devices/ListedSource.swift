import SluicePipeline

/// A device and its parts, as a user writes them after `KIND:`. A shell offers them at the Tab key.
struct ListedSource: Equatable {
  struct Part: Equatable {
    let name: String
    /// A description for the user, such as `line 3`.
    let what: String
  }

  /// The name of the kind of source: `gpio`.
  let kind: String
  /// The names of the device, such as `gpiochip0`. The shell offers the first one.
  var names: [String]
  /// A description for the user, such as `8 lines`.
  let what: String
  /// The lines, channels or events, which a user writes after the device.
  var parts: [Part] = []

  init(_ kind: any SourceKind.Type, _ names: [String], _ what: String, _ parts: [Part] = []) {
    (self.kind, self.names, self.what, self.parts) = (kind.name, names, what, parts)
  }
}
