/// A device in one line: what it is called, what it has, and a source that records from it.
struct ListedDevice: Equatable {
  let name: String
  let what: String
  /// As `sluice record` takes it; nil if nothing of it can be recorded now.
  let source: String?
}
