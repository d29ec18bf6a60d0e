import SluiceSystem

/// The system that this runs on, by uname(2).
package struct Host: Equatable, Codable {
  package var name: String
  package var system: String
  package var release: String
  package var machine: String

  package static var current: Host {
    var system = utsname()
    uname(&system)
    return Host(
      name: text(system.nodename), system: text(system.sysname), release: text(system.release),
      machine: text(system.machine))
  }

  /// `Linux 6.1.0-18-arm64 aarch64`.
  package var kernel: String { [system, release, machine].joined(separator: " ") }

  /// The text in a C array of characters.
  private static func text<T>(_ characters: T) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
