import SluiceArguments

/// A setting of the servers: `token-file=/etc/token`.
struct ServerArgument: ArgumentValue, Equatable {
  let key: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    (key, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}
