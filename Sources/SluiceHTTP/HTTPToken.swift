package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The secret that a viewer has to know, from a file.
///
/// A program sends it with each request. A browser sends it once, and gets a cookie with another secret, which is made
/// for this run: so the token itself is kept nowhere.
package struct HTTPToken: Sendable {
  static let shortest = 16
  static let longest = 1_024

  private let secret: [UInt8]
  private let session: [UInt8]

  /// - Throws: If the file cannot be read, if others may read or change it (``SecretFile``), or if it has no good token.
  package init(file path: String) throws(SluiceError) {
    try SecretFile.check(
      path, "read", missing: "make a token: (umask 077; head -c 24 /dev/urandom | base64 > \(path))")
    let contents: [UInt8]
    do throws(SystemErrno) {
      contents = try SystemFiles().contents(of: path, limit: Self.longest + 2)
    } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    var bytes = contents[...]
    while let last = bytes.last, last == 0x0a || last == 0x0d || last == 0x20 { bytes.removeLast() }
    guard bytes.count >= Self.shortest, bytes.count <= Self.longest, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else {
      throw SluiceError(
        .malformed, "use", path,
        because: "a token is one line of \(Self.shortest) to \(grouped(Self.longest)) letters, digits and signs",
        remedy: "make one: (umask 077; head -c 24 /dev/urandom | base64 > \(path))")
    }
    self.init(Array(bytes))
  }

  init(_ secret: [UInt8]) {
    self.secret = secret
    var random = SystemRandomNumberGenerator()
    session = Array((0..<4).map { _ in hexadecimal(random.next()) }.joined().utf8)
  }

  /// The value of the cookie.
  var cookie: String { String(decoding: session, as: UTF8.self) }

  func isToken(_ text: String) -> Bool { Self.areEqual(Array(text.utf8), secret) }
  func isCookie(_ text: some StringProtocol) -> Bool { Self.areEqual(Array(text.utf8), session) }

  /// Compares in a time that depends on the length of what was sent only: so a guess learns nothing from the time.
  static func areEqual(_ guess: [UInt8], _ secret: [UInt8]) -> Bool {
    var difference: UInt8 = guess.count == secret.count && !secret.isEmpty ? 0 : 1
    for index in guess.indices { difference |= guess[index] ^ secret[index % max(1, secret.count)] }
    return difference == 0
  }
}

private func hexadecimal(_ number: UInt64) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: 16 - text.count) + text
}
