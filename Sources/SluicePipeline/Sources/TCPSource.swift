package import SluiceDevices
package import SluiceReadings
import SluiceRecording

/// Lines of a server: `tcp:meter.local:3000`.
package struct TCPSource: LineSourceKind {
  package static let name = "tcp"
  package static let form = "HOST:PORT" + LineForm.form
  package static let example = "meter.local:3000"

  private let text: LineText
  private let host: String
  private let port: Int

  init(_ text: LineText) throws(LineFault) {
    guard let colon = text.wire.lastIndex(of: ":"), colon > text.wire.startIndex,
      let port = Int(text.wire[colon...].dropFirst()), (1...65_535).contains(port)
    else { throw LineFault("it is not a host and a port from 1 to 65535") }
    var host = String(text.wire[..<colon])
    // An address of IPv6 is in brackets.
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    (self.text, self.host, self.port) = (text, host, port)
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    text.forecast(host, .sender)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    try text.open(TCPWire(host, port: "\(port)"), name: host, settings, context)
  }
}
