import Synchronization

/// The variables of the environment with secrets for servers. The programs that this one starts do not get them.
package enum SecretVariables {
  package static let token = "SLUICE_TOKEN"
  /// `USER:PASSWORD`
  package static let login = "SLUICE_LOGIN"
  /// Those that the addresses of outputs name: `${NAME}`.
  private static let others = Mutex<Set<String>>([])

  /// Notes that a variable has a secret, before a program is started.
  package static func note(_ name: String) { others.withLock { _ = $0.insert(name) } }

  /// Notes that a variable has a secret, and gives its value; nil if there is none.
  package static func value(_ name: String) -> String? {
    note(name)
    return getenv(name).map { String(cString: $0) }
  }

  /// The environment of a program, without the secrets. It ends with a nil.
  static var otherVariables: [UnsafeMutablePointer<CChar>?] {
    let secrets = others.withLock { $0 }.union([token, login])
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
    while let variable = place.pointee {
      if !secrets.contains(String(String(cString: variable).prefix { $0 != "=" })) { variables.append(variable) }
      place += 1
    }
    return variables + [nil]
  }
}
