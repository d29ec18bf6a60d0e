import ArgumentParser

/// What `sluice bench` can measure.
enum BenchPart: String, CaseIterable {
  case streams, csv, disk, timer, devices
}

/// Some parts: `streams,csv`.
struct BenchParts: ExpressibleByArgument, Hashable {
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
