import SluiceSystem

/// What tells this board from others.
struct BoardIdentity: Sendable {
  /// The name of the host.
  var name: String
  /// What is in /etc/machine-id; empty if it has none.
  var machine: String
  /// A random number of 128 bits.
  var epoch: @Sendable () -> String

  static var current: BoardIdentity {
    var name = [CChar](repeating: 0, count: 256)
    let hasName = gethostname(&name, name.count - 1) == 0
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = (try? SystemFiles().contents(of: "/etc/machine-id", limit: 64)) ?? []
    let machine = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit }
    return BoardIdentity(name: hasName && !host.isEmpty ? host : "localhost", machine: machine) {
      var random = SystemRandomNumberGenerator()
      return (0..<16).map { _ in
        let byte = UInt8.random(in: .min ... .max, using: &random)
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
  }
}
