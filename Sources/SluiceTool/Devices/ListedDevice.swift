/// A device in one line: its name, its parts, and a source that records from it.
struct ListedDevice: Equatable {
  let name: String
  let what: String
  /// The source for `sluice record`; nil if the device cannot be recorded now.
  let source: String?
}
