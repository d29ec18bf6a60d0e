import Sluice
import SluiceReadings
public import SluiceRecording

/// The registry of the kinds of outputs.
public enum OutputKinds {
  private static let own = LinkedKinds.all.outputs + [FolderOutput.self]
  private static let more = Locked<[any OutputKind.Type]>([])

  /// The first kind that has this address; a file if no other kind has it.
  package static func kind(of address: String) -> any OutputKind {
    added(address) ?? own.lazy.compactMap { $0.init(address) }.first ?? FileOutput(address)
  }

  /// Whether the address is that of a server to which readings are sent.
  package static func isServer(_ address: String) -> Bool {
    let address = address.prefix(8).lowercased()
    return address.hasPrefix("http://") || address == "https://" || isBroker(String(address))
  }

  /// Whether the address is that of a broker of MQTT.
  static func isBroker(_ address: String) -> Bool {
    let address = address.prefix(8).lowercased()
    return address.hasPrefix("mqtt://") || address == "mqtts://"
  }

  /// The host and port of the address of a server, in small letters.
  static func serverName(_ address: String) -> String {
    let name = serverHost(address)
    if hasPort(name) { return name }
    let ports = ["http:": 80, "https": 443, "mqtt:": 1_883, "mqtts": 8_883]
    return "\(name):\(ports[String(address.prefix(5).lowercased())] ?? 0)"
  }

  /// Whether the address is that of a server with a name: its host, or its host and port, perhaps with the beginning of
  /// the address, such as `https://`.
  static func isServer(_ address: String, called name: String) -> Bool {
    let scheme = address.prefix { $0 != "/" }.lowercased() + "//"
    var name = name.lowercased()
    if name.hasPrefix(scheme) { name.removeFirst(scheme.count) }
    if hasPort(name) { return serverName(address) == name }
    let host = serverHost(address)
    return (hasPort(host) ? String(host[..<(host.lastIndex(of: ":") ?? host.endIndex)]) : host) == name
  }

  private static func serverHost(_ address: String) -> String {
    address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }.lowercased()
  }

  private static func hasPort(_ name: String) -> Bool {
    name.hasPrefix("[") ? !name.hasSuffix("]") : name.contains(":")
  }

  /// The kind of ``add(_:)`` that has this address; nil if none has it.
  private static func added(_ address: String) -> (any OutputKind)? {
    more.withLock { $0 }.lazy.compactMap { $0.init(address) }.first
  }

  /// Whether there are kinds of ``add(_:)``.
  static var hasMore: Bool { more.withLock { !$0.isEmpty } }

  /// Whether the address is that of a kind without files, whose ending says nothing.
  static func isNoPath(_ address: String) -> Bool {
    added(address).map { !$0.hasFiles } ?? (isServer(address) && !kind(of: address).hasFiles)
  }

  /// Whether the address may have secrets of the environment.
  static func hasSecrets(_ address: String) -> Bool { added(address).map { type(of: $0).hasSecrets } ?? false }

  /// Makes a kind known to plans. It is asked before the kinds of this package. Call it before the first plan is read. A
  /// kind that was added before is not added again. Any thread may call it.
  ///
  /// ```swift
  /// OutputKinds.add(ServerOutput.self)
  /// let output = OutputPlan("model://server")
  /// ```
  public static func add(_ kind: any OutputKind.Type) {
    more.withLock { kinds in if !kinds.contains(where: { $0 == kind }) { kinds.append(kind) } }
  }

  /// Removes a kind that ``add(_:)`` has added. For tests, which share one process.
  package static func remove(_ kind: any OutputKind.Type) { more.withLock { $0.removeAll { $0 == kind } } }
}
