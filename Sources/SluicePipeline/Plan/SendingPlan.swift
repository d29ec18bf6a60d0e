import SluiceReadings
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

extension SendingPlan: PlanFieldsPart {
  static let fields = PlanFields<Self>(
    .optional("spool", \.spool, .name), .optional("spool-size", \.spoolSize, .size),
    .optional("spool-full", \.whenFull, .choice), .optional("board", \.board, .name),
    .optional("token-file", \.tokenFile, .name), .optional("login-file", \.loginFile, .name),
    .optional("secrets-for", \.secretsFor, .name),
    .optional("ca", \.authorities, .name), .optional("cert", \.certificate, .name), .optional("key", \.key, .name),
    .optional("send-timeout", \.timeout, .time), .optional("mqtt", \.mqttVersion, .choice)
  ) { Self() }
}

extension SendingPlan {
  /// The settings of `--server KEY=VALUE`, and of the key `sending` of a plan.
  package static let serverSettings: [(key: String, words: String)] = [
    ("board", "the name of this board, a tag of each row, empty for none (default: that of the spool, or of the host)"),
    ("token-file", "a file with the token (default: the variable SLUICE_TOKEN)"),
    ("login-file", "a file with USER:PASSWORD (default: the variable SLUICE_LOGIN)"),
    (
      "secrets-for",
      "the HOST or HOST:PORT that gets token and login, perhaps with https:// before it; needed if there are several servers"
    ),
    ("ca", "a PEM file with the authorities of the server's certificate (default: those of the system)"),
    ("cert", "a PEM file with the certificate of this board"), ("key", "a PEM file with its key"),
    ("send-timeout", "how long an answer may take (default: 30s)"),
    ("mqtt", "what is spoken with brokers: 5, or 3.1.1, in which they acknowledge even what they refuse (default: 5)"),
  ]

  /// Sets one of ``serverSettings``.
  package mutating func set(_ key: String, to value: String) throws(UsageError) {
    let keys = Self.serverSettings.map(\.key)
    guard keys.contains(key) else {
      let hint = nearest(to: key, among: keys).map { "did you mean \($0)?" }
      throw UsageError("has no setting \"\(key)\"; \(hint ?? "its settings are \(listed(keys))")")
    }
    do throws(PlanFault) {
      try Self.fields.set(PlanKey(key), of: &self, to: PlanNode(json: .string(value)))
    } catch {
      throw UsageError("\(key)\(error.sentence)")
    }
  }

  /// The settings for the outputs.
  package var settings: ServerSettings {
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
    servers.settings = (sending ?? SendingPlan()).settings
    let names = outputs.map(\.path).filter(OutputKinds.isServer).map(OutputKinds.serverName)
    servers.settings.isOnlyServer = Set(names).count == 1
    servers.isLive = isLive
    servers.compressor = LinkedKinds.all.sendingCompressor
    servers.clockError = { SystemClocks().quality?.errors.greatest }
    return servers
  }

  /// - Throws: The first broken rule of ``sending``.
  package func checkSending() throws(BrokenRule) {
    guard let sending else { return }
    let servers = outputs.filter { OutputKinds.isServer($0.path) }
    let rules = [
      BrokenRule(
        if: servers.isEmpty, "sending",
        " says how to send, but no output is a server such as http://HOST/write?db=NAME or mqtt://HOST/TOPIC",
        option:
          "--spool and --server are for an output that is a server: -o 'http://HOST/write?db=NAME', or mqtt://HOST/TOPIC"
      ),
      BrokenRule(
        if: sending.spool == nil && (sending.spoolSize != nil || sending.whenFull != nil), "sending",
        " has a size or a rule of a spool, and no spool: give its folder too",
        option: "--spool-size and --spool-full are for a spool; give its folder too: --spool DIR"),
      BrokenRule(
        if: sending.spool?.isEmpty ?? false, "sending", " has an empty spool: give a folder",
        option: "--spool takes a folder"),
      BrokenRule(
        if: (sending.spoolSize?.bytes ?? .max) < Self.leastSpool, "sending",
        " has a spool-size below 1M", option: "--spool-size takes 1M or more"),
      BrokenRule(
        if: sending.key != nil && sending.certificate == nil, "sending",
        " has a key and no cert: give both", option: "--server key= is the key of --server cert=; give both"),
      BrokenRule(
        if: sending.secretsFor.map { name in
          !servers.contains { OutputKinds.isServer($0.path, called: name) }
        } ?? false, "sending", " has secrets-for a server that is no output",
        option: "--server secrets-for= names the HOST or HOST:PORT of one of the servers after -o"),
      BrokenRule(
        if: (sending.authorities != nil || sending.certificate != nil)
          && !servers.contains { ["https://", "mqtts://"].contains($0.path.prefix(8).lowercased()) },
        "sending", " has certificates, and no output begins with https:// or mqtts://",
        option: "--server ca=, cert= and key= are for TLS; write the output with https:// or mqtts://"),
      BrokenRule(
        if: sending.mqttVersion != nil && !servers.contains { OutputKinds.isBroker($0.path) }, "sending",
        " has a version of MQTT, and no output is a broker",
        option: "--server mqtt= is for an output such as mqtt://HOST/TOPIC"),
      BrokenRule(
        if: sending.tokenFile != nil && servers.allSatisfy { OutputKinds.isBroker($0.path) }, "sending",
        " has a token, and brokers of MQTT have users: give login-file",
        option: "--server token-file= is for HTTP; brokers of MQTT have users: give login-file="),
    ]
    if let rule = rules.compactMap({ $0 }).first { throw rule }
  }

  private static let leastSpool = 1 << 20
}
