import SluiceSystem

/// What tells this board from others.
struct BoardIdentity: Sendable {
  /// The name of the host.
  var name: String
  /// What is in /etc/machine-id; empty if it has none.
  var machine: String
  /// The serial number of the hardware, from its device tree; nil if it has none. A copied SD card has the same
  /// machine-id.
  var serial: String?
  /// A random number of 128 bits.
  var epoch: @Sendable () -> String

  static var current: BoardIdentity {
    var name = [CChar](repeating: 0, count: 256)
    let hasName = gethostname(&name, name.count - 1) == 0
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = (try? SystemFiles().contents(of: "/etc/machine-id", limit: 64)) ?? []
    let machine = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit }
    let serial = (try? SystemFiles().contents(of: "/proc/device-tree/serial-number", limit: 256)) ?? []
    let number = String(decoding: serial, as: UTF8.self).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return BoardIdentity(
      name: hasName && !host.isEmpty ? host : "localhost", machine: machine, serial: number.isEmpty ? nil : number
    ) {
      var random = SystemRandomNumberGenerator()
      return (0..<16).map { _ in
        let byte = UInt8.random(in: .min ... .max, using: &random)
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
  }
}
