/// How the outputs of a recording that are servers send, and where their readings wait.
package struct ServerSettings: Equatable, Sendable {
  /// What a full spool does.
  package enum WhenFull: String, CaseIterable, Sendable {
    /// It takes nothing, so that readings wait before it.
    case block
    /// It gives up the oldest readings that no server has acknowledged.
    case dropOldest = "drop-oldest"
    /// It does not take the new ones.
    case dropNewest = "drop-newest"
  }

  /// The versions of MQTT.
  package enum MQTTVersion: String, CaseIterable, Sendable {
    case v5 = "5"
    case v311 = "3.1.1"
  }

  /// The folder of the spools; nil keeps in memory what waits.
  package var spool: String?
  /// The most bytes of a spool.
  package var spoolSize = 1 << 30
  package var whenFull = WhenFull.block
  /// What the server knows this board by: a tag of each row. Nil is the name that the spool has, or else that of the host.
  package var board: String?
  /// A file with a token; the server lets in whoever has it.
  package var tokenFile: String?
  /// A file with `user:password`.
  package var loginFile: String?
  /// The server that gets the token and the login: its host, or its host and port. Nil for the only one.
  package var secretsFor: String?
  /// Whether all readings go to one server.
  package var isOnlyServer = true
  /// A file with the certificates of authorities, in the form PEM, instead of those of the system.
  package var authorities: String?
  /// A file with the certificate of this board, and one with its key.
  package var certificate: String?
  package var key: String?
  /// How long an answer may take, in nanoseconds.
  package var timeout: Int64 = 30_000_000_000
  /// What is spoken with brokers.
  package var mqttVersion = MQTTVersion.v5

  package init() {}
}

/// What an output that is a server needs to know of its recording.
package struct ServerSurroundings: Sendable {
  package var settings = ServerSettings()
  /// Whether readings come by the clock. Otherwise they can be had again, and wait as long as the server needs.
  package var isLive = true
  /// Makes a gzip compressor; nil if this build has none.
  package var compressor: (@Sendable () -> any Compressor)?
  /// How far the wall clock may be wrong, in nanoseconds; nil if the system does not say.
  package var clockError: (@Sendable () -> Int64?)?
  /// Called with the number of an output and its event, on any queue.
  package var changed: @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in }

  package init() {}
}
