package import SluiceReadings
package import SluiceRecording

/// How readings are sent to outputs that are servers, and where they wait until a server has acknowledged them.
///
/// ```swift
/// plan.outputs = [OutputPlan("https://db.example/write?db=plant")]
/// plan.sending = SendingPlan(spool: "/var/lib/plant/spool")
/// plan.sending?.tokenFile = "/etc/plant/token"
/// ```
public struct SendingPlan: Hashable, Sendable {
  /// What a full spool does.
  public enum WhenFull: String, CaseIterable, Sendable {
    /// It takes nothing, so that readings wait before it.
    case block
    /// It gives up the oldest readings that are not acknowledged.
    case dropOldest = "drop-oldest"
    /// It does not take the new ones.
    case dropNewest = "drop-newest"
  }

  /// The versions of MQTT.
  public enum MQTTVersion: String, CaseIterable, Sendable {
    /// MQTT 5: the broker says what it refuses.
    case v5 = "5"
    /// MQTT 3.1.1, in which a broker acknowledges even messages that it refuses, and which has no room for sequence numbers.
    case v311 = "3.1.1"
  }

  /// The folder for the spools, one for each server. It is made if its own folder exists. Nil keeps in memory what is not
  /// acknowledged.
  public var spool: String?
  /// The most bytes of each spool; nil is 1 GiB.
  public var spoolSize: ByteSize?
  /// What a full spool does; nil is ``WhenFull/block``.
  public var whenFull: WhenFull?
  /// The name of this board, a tag of each row; nil is the name of the host. Empty for no tag.
  public var board: String?
  /// A file with a token. Without it, and without ``loginFile``, the variable SLUICE_TOKEN of the environment has it.
  public var tokenFile: String?
  /// A file with `user:password`. Without it the variable SLUICE_LOGIN of the environment has it.
  public var loginFile: String?
  /// The server that gets the token and the login, if there are several: its host, or its host and port.
  public var secretsFor: String?
  /// A file in the form PEM with the authorities that sign the certificates of servers; nil for those of the system.
  public var authorities: String?
  /// A file in the form PEM with the certificate of this board.
  public var certificate: String?
  /// A file in the form PEM with its key.
  public var key: String?
  /// How long a server may take for an answer; nil is 30 s.
  public var timeout: TimeSpan?
  /// What is spoken with brokers of MQTT; nil is ``MQTTVersion/v5``.
  public var mqttVersion: MQTTVersion?

  /// Sets the folder; nil for memory.
  public init(spool: String? = nil) { self.spool = spool }
}

extension SendingPlan: SettingsPart {
  package static let settings = Settings<Self>(
    .optional("spool", \.spool, folder)
      .option(
        "DIR",
        "The folder for readings that a server has not acknowledged. They stay there after this program ends. The folder is made if it is missing. Without this option, at most 65,536 readings are kept, in memory; 'sluice resend' needs a folder.",
        completion: .folders),
    .optional("spool-size", \.spoolSize, .size)
      .option(
        "SIZE",
        "The largest size of the spool of a server, including what is acknowledged and still kept. (default: 1G)"
      )
      .needs("spool", says: " needs a folder: give \(setting: "spool", "--wait-on-disk DIR") too"),
    .optional("spool-full", \.whenFull, .choice)
      .option(
        "What a full spool does: take nothing, so that readings wait in the buffer, or drop readings that are not acknowledged. (default: block)"
      )
      .needs("spool", says: " needs a folder: give \(setting: "spool", "--wait-on-disk DIR") too"),
    .optional("board", \.board, .name)
      .says("the name of this board, a tag of each row, empty for none (default: that of the spool, or of the host)"),
    .optional("token-file", \.tokenFile, .name).says("a file with the token (default: the variable SLUICE_TOKEN)"),
    .optional("login-file", \.loginFile, .name)
      .says("a file with USER:PASSWORD (default: the variable SLUICE_LOGIN)"),
    .optional("secrets-for", \.secretsFor, .name)
      .says(
        "the HOST or HOST:PORT that gets token and login, perhaps with https:// before it; needed if there are several servers"
      ),
    .optional("ca", \.authorities, .name)
      .says("a PEM file with the authorities of the server's certificate (default: those of the system)"),
    .optional("cert", \.certificate, .name).says("a PEM file with the certificate of this board"),
    .optional("key", \.key, .name).says("a PEM file with its key"),
    .optional("send-timeout", \.timeout, .time).says("how long an answer may take (default: 30s)"),
    .optional("mqtt", \.mqttVersion, .choice)
      .says(
        "what is spoken with brokers: 5, or 3.1.1, in which they acknowledge even what they refuse (default: 5)")
  ) { Self() }

  private static let folder = Form<String>(.text) { node throws(Fault) in
    let folder = try node.name()
    if folder.isEmpty { throw node.fault(" is empty: give a folder") }
    return folder
  } json: {
    .string($0)
  }
}

extension SendingPlan {
  /// The settings of `--server KEY=VALUE`: those that are no option.
  package static var serverKeys: [(key: String, words: String)] {
    settings.optional.filter { $0.options.isEmpty }.map { ($0.key.text, $0.sentence ?? "") }
  }

  /// Sets one of ``serverKeys``.
  package mutating func set(_ key: String, to value: String) throws(Fault) {
    let keys = Self.serverKeys.map(\.key)
    guard keys.contains(key) else {
      let hint = nearest(to: key, among: keys).map { "did you mean \($0)?" }
      throw Fault("has no setting \"\(key)\"; \(hint ?? "its settings are \(listed(keys))")")
    }
    do throws(Fault) {
      try Self.settings.set(PlanKey(key), of: &self, to: PlanNode(json: .string(value)))
    } catch {
      throw Fault("\(key)\(error.sentence)")
    }
  }

  /// The settings for the outputs.
  package var serverSettings: ServerSettings {
    var settings = ServerSettings()
    (settings.spool, settings.board) = (spool, board)
    settings.spoolSize = spoolSize?.bytes ?? settings.spoolSize
    settings.whenFull = whenFull.flatMap { .init(rawValue: $0.rawValue) } ?? .block
    (settings.tokenFile, settings.loginFile) = (tokenFile, loginFile)
    settings.secretsFor = secretsFor
    (settings.authorities, settings.certificate, settings.key) = (authorities, certificate, key)
    settings.timeout = timeout?.nanoseconds ?? settings.timeout
    settings.mqttVersion = mqttVersion.flatMap { .init(rawValue: $0.rawValue) } ?? .v5
    return settings
  }
}

extension RecordingPlan {
  /// What outputs that are servers need to know.
  func servers(isLive: Bool) -> ServerSurroundings {
    var servers = ServerSurroundings()
    guard outputs.contains(where: { OutputKinds.isServer($0.path) }) else { return servers }
    servers.settings = (sending ?? SendingPlan()).serverSettings
    let names = outputs.map(\.path).filter(OutputKinds.isServer).map(OutputKinds.serverName)
    servers.settings.isOnlyServer = Set(names).count == 1
    servers.isLive = isLive
    servers.compressor = LinkedKinds.all.sendingCompressor
    servers.clockError = { SystemClocks().quality?.errors.greatest }
    return servers
  }

  /// - Throws: The first broken rule of ``sending``.
  package func checkSending() throws(Fault) {
    guard let sending else { return }
    let servers = outputs.filter { OutputKinds.isServer($0.path) }
    if servers.isEmpty {
      throw Fault(
        rule: "sending",
        says:
          " says how to send, but no output is a server such as http://HOST/write?db=NAME or mqtt://HOST/TOPIC",
        command:
          "--server and --spool-full are for an output that is a server: -o 'http://HOST/write?db=NAME', or mqtt://HOST/TOPIC"
      )
    }
    do throws(Fault) { try SendingPlan.settings.check(sending) } catch { throw error.inside(["sending"]) }
    func check(_ isBroken: Bool, _ key: PlanKey, _ sentence: RuleSentence) throws(Fault) {
      // Most of them are no options.
      let isOption = SendingPlan.settings.option(key.text) != nil
      if isBroken {
        throw Fault(
          rule: "sending", key, says: sentence, of: isOption ? nil : "--server \(key.text)=")
      }
    }
    if (sending.spoolSize?.bytes ?? .max) < Self.leastSpool {
      throw Fault(rule: "sending", "spool-size", says: " takes 1M or more", of: "SIZE of --wait-on-disk")
    }
    try check(
      sending.key != nil && sending.certificate == nil, "key",
      " needs \(setting: "cert", "--server cert=") too")
    try check(
      sending.secretsFor.map { name in !servers.contains { OutputKinds.isServer($0.path, called: name) } } ?? false,
      "secrets-for", " names the HOST or HOST:PORT of one of the outputs, and there is no such server")
    for (value, key) in [(sending.authorities, "ca"), (sending.certificate, "cert")] {
      try check(
        value != nil && !servers.contains { ["https://", "mqtts://"].contains($0.path.prefix(8).lowercased()) },
        PlanKey(key), " is for TLS: write the output with https:// or mqtts://")
    }
    try check(
      sending.mqttVersion != nil && !servers.contains { OutputKinds.isBroker($0.path) }, "mqtt",
      " is for an output such as mqtt://HOST/TOPIC, and there is none")
    try check(
      sending.tokenFile != nil && servers.allSatisfy { OutputKinds.isBroker($0.path) }, "token-file",
      " is for HTTP, and brokers of MQTT have users: give \(setting: "login-file", "--server login-file=")")
  }

  private static let leastSpool = 1 << 20
}
