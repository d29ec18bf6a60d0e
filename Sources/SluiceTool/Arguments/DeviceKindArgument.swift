import SluiceArguments

/// A kind of device, by its name.
struct DeviceKindArgument: ArgumentValue {
  let name: String

  init?(argument: String) {
    guard Self.names.contains(argument) else { return nil }
    name = argument
  }

  static var names: [String] { DeviceKinds.all.map(\.name) }
}
