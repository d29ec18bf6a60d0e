import CHTTP
package import SluicePipeline
package import SluiceReadings
import SluiceSystem

/// Shows a recording to browsers and other viewers while it runs.
///
/// ```swift
/// let server = try RecordingServer(recording, .init(address: address))
/// server.start()
/// recording.start()
/// recording.wait()
/// server.stop()
/// ```
package final class RecordingServer: Sendable {
  /// Where it listens, and who is admitted.
  package struct Settings: Sendable {
    package var address: HTTPAddress
    package var token: HTTPToken?
    /// The origins of other sites that may look.
    package var origins: [String]
    package var isControlled: Bool

    /// - Throws: If there is no token, and one is needed; or if an origin is none.
    package init(
      address: HTTPAddress, token: HTTPToken? = nil, origins: [String] = [], isControlled: Bool = false
    ) throws(SluiceError) {
      if token == nil, !address.isOfThisMachine {
        throw SluiceError(
          .usage, "listen at", "\(address)",
          because: "without a token, everybody who reaches this address could see the recording",
          remedy: "give a token with --http-token, or leave the address out")
      }
      if token == nil, isControlled {
        throw SluiceError(
          .usage, "allow", "--http-control",
          because: "without a token, every user of this machine could control the recording",
          remedy: "give a token with --http-token")
      }
      for origin in origins where !HTTPAdmission.isOrigin(origin) {
        throw SluiceError(
          .usage, "admit", origin, because: "it is no origin",
          remedy: "give the scheme and the host alone, such as https://app.example")
      }
      (self.address, self.token, self.origins, self.isControlled) = (address, token, origins, isControlled)
    }
  }

  /// `libwebsockets 4.1.6`: the version at build time; nil if it is not installed, or was not there then.
  package static var libraryVersion: String? {
    chttp_load() == nil ? chttp_version.map { "libwebsockets \(String(cString: $0))" } : nil
  }

  /// Where it listens, with the port that the system has chosen for port 0.
  package let address: HTTPAddress
  private let server: HTTPServer
  private let watch: RecordingWatch

  /// Listens. Readings are kept from now on.
  /// - Throws: If the address cannot be had, or if libwebsockets cannot be loaded.
  package convenience init(_ recording: Recording, _ settings: Settings) throws(SluiceError) {
    try self.init(recording, settings, HTTPServer.Limits())
  }

  init(_ recording: Recording, _ settings: Settings, _ limits: HTTPServer.Limits) throws(SluiceError) {
    let (socket, address) = try settings.address.listen()
    self.address = address
    watch = RecordingWatch(recording)
    let site = RecordingSite(
      watch,
      HTTPAdmission(
        address: address, token: settings.token, origins: settings.origins, isControlled: settings.isControlled))
    server = try HTTPServer(site, socket: socket, limits: limits)
    site.connections = { [weak server] in server?.connections ?? 0 }
  }

  package func start() { server.start() }

  /// Ends the server; viewers are told nothing, because they notice it.
  package func stop() {
    server.stop()
    watch.end()
    if case .unix(let path) = address { unlink(path) }
  }

  /// What a browser is given, such as `http://127.0.0.1:8080/`.
  package var url: String {
    switch address {
    case .unix: "\(address)"
    case .internet(let host, let port):
      switch host {
      case "0.0.0.0", "::": "http://\(hostName):\(port)/"
      default: "http://\(address)/"
      }
    }
  }

  private var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
