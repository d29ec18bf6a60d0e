import ArgumentParser

/// Names with commas between them: `METER,DOOR`.
struct NamesArgument: ExpressibleByArgument, Hashable {
  let names: [String]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard !parts.contains(where: \.isEmpty) else { return nil }
    names = parts.map(String.init)
  }
}
