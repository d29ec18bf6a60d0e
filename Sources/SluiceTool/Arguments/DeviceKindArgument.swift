import ArgumentParser

/// A kind of device, by its name.
struct DeviceKindArgument: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    name = argument
  }

  static var allValueStrings: [String] { DeviceKinds.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
