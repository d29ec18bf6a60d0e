import SluiceArguments

/// The parts of `sluice bench`, in the order in which they are measured. Devices come first, so that a user who drives
/// lines for the measurement does not wait.
enum BenchPart: String, CaseIterable {
  case devices, streams, csv, spill, disk, timer
}

/// Some parts: `streams,csv`.
struct BenchParts: ArgumentValue, Equatable {
  let parts: Set<BenchPart>

  init?(argument: String) {
    var parts: Set<BenchPart> = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = BenchPart(rawValue: String(name)) else { return nil }
      parts.insert(part)
    }
    self.parts = parts
  }
}
