package import SluiceDevices
package import SluiceReadings
import SluiceRecording

/// Lines in datagrams: `udp:8094`, `udp:127.0.0.1:8094`.
package struct UDPSource: LineSourceKind {
  package static let name = "udp"
  package static let form = "[ADDRESS:]PORT" + LineForm.form
  package static let example = "8094"

  private let text: LineText
  private let address: String?
  private let port: Int

  init(_ text: LineText) throws(LineFault) {
    let colon = text.wire.lastIndex(of: ":")
    let digits = colon.map { text.wire[$0...].dropFirst() } ?? text.wire[...]
    guard let port = Int(digits), (1...65_535).contains(port) else {
      throw LineFault("it has no port from 1 to 65535")
    }
    var address = colon.map { String(text.wire[..<$0]) }
    // An address of IPv6 is in brackets.
    if let given = address, given.hasPrefix("["), given.hasSuffix("]") {
      address = String(given.dropFirst().dropLast())
    }
    (self.text, self.address, self.port) = (text, address, port)
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    text.forecast("udp\(port)", UDPWire.kernelQueue)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    try text.open(UDPWire(address, port: "\(port)"), name: "udp\(port)", settings, context)
  }
}
