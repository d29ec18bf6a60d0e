import SluiceLog
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Sends readings of a spool without a recording: those that wait, or some again.
package struct Resend {
  /// The largest sequence number that a reading can have.
  package static let lastNumber = SegmentLog.mostReadings - 1

  /// The sequence numbers that are sent.
  package let numbers: Range<UInt64>
  /// Those that were asked for, and that the spool does not have any more, or not yet.
  package private(set) var gone: [Range<UInt64>]
  package let folder: String
  package let description: SpoolFolder.Description
  private let log: SegmentLog
  private let settings: ServerSettings
  private let compressor: (@Sendable () -> any Compressor)?
  /// Whether what waits is sent, so that it waits no more.
  private let isOfWaiting: Bool

  /// - Parameters:
  ///   - path: The folder of a spool, or a folder with one.
  ///   - from: The first number; nil for everything that waits. Then no recording may have the spool open.
  ///   - to: The last number; nil for all that follow.
  package init(
    _ path: String, from: UInt64?, to last: UInt64?, _ settings: ServerSettings,
    compressor: (@Sendable () -> any Compressor)?
  ) throws(SluiceError) {
    let folders = try SpoolFolder.folders(in: path)
    guard let folder = folders.first, folders.count == 1, let description = try SpoolFolder.described(folder) else {
      throw SluiceError(
        folders.isEmpty ? .notFound : .usage, "resend from", path,
        because: folders.isEmpty ? "there is no spool" : "there are \(folders.count) spools",
        remedy: folders.isEmpty
          ? "give the folder of --wait-on-disk" : "give one of them: \(folders.joined(separator: ", "))")
    }
    (self.folder, self.description, self.settings, self.compressor) = (folder, description, settings, compressor)
    isOfWaiting = from == nil
    log = try SegmentLog(folder, isReading: from != nil, besideWriter: from != nil)
    let had = log.nextNoted
    let there = log.oldest..<max(log.oldest, log.next)
    let asked: Range<UInt64>
    if let from {
      // At least the first is asked for, so that it is said if it is not there.
      let from = min(from, Self.lastNumber)
      let end = last.map { min($0, Self.lastNumber) + 1 } ?? had
      asked = from..<max(from + 1, end)
    } else {
      asked = log.watermark.next..<max(log.watermark.next, had)
    }
    numbers = asked.clamped(to: there)
    gone = []
    if asked.lowerBound < there.lowerBound {
      gone.append(asked.lowerBound..<min(asked.upperBound, there.lowerBound))
    }
    if asked.upperBound > there.upperBound, !asked.isEmpty {
      gone.append(max(asked.lowerBound, there.upperBound)..<asked.upperBound)
    }
  }

  /// The address for a message, without what may be a secret.
  package var shownAddress: String { HTTPServerAddress.withoutSecrets(description.address) }

  /// The numbers that the spool has.
  package var kept: Range<UInt64> { log.oldest..<max(log.oldest, log.next) }

  /// Sends, and waits until the server has everything, or has taken nothing for half a minute.
  /// - Parameter happened: Called with what happens.
  package func run(_ happened: @escaping @Sendable (OutputEvent) -> Void) throws(SluiceError) -> SendingCounts {
    for fault in log.faults { happened(.spoolFault(fault)) }
    var sum = SendingCounts()
    let groups = isOfWaiting ? waiting : again
    let missing = numbers.isEmpty || !groups.isEmpty ? 0 : Int(numbers.upperBound - numbers.lowerBound)
    if missing > 0 {
      sum.lost += missing
      happened(.spoolFault(undescribed))
    }
    for group in groups {
      let streams = try TraceMetadata(group.streams, path: folder).streams ?? []
      let described = SpoolFolder.described(
        streams, raw: description.raw, decimals: description.decimals, tags: description.rowTags)
      let board = settings.board ?? description.board
      let sender = Sender(
        to: description.address, settings, group.spool,
        try transport(described, board, happened), DispatchWorkQueue("sluice.sender"), sync: .standard,
        refusals: RefusedReadings(in: folder, described, limit: Int64(settings.spoolSize / 8), SystemFiles()),
        patience: Patience.of(isLasting: true, isLive: false), seed: ServerSending.seed)
      sender.happened = happened
      sender.start()
      sender.finish()
      sum.add(sender.counts)
      if sender.waiting > 0 { break }
    }
    if !isOfWaiting { log.close() }
    return sum
  }

  private func transport(
    _ streams: EncoderStreams, _ board: String, _ happened: @escaping @Sendable (OutputEvent) -> Void
  ) throws(SluiceError) -> any BatchTransport {
    #if SLUICE_MQTT
      if MQTTAddress.isAddress(description.address) {
        // Beside a recording it must neither say that the board is there, nor that it has ended.
        let broker = try MQTTAddress(description.address)
        try checkSecrets(for: broker.host, isEncrypted: broker.isEncrypted, hasToken: false)
        // What is wrong with the secrets is known before the first reading.
        _ = try MQTTClient.login(settings, for: broker)
        return MQTTTransport(
          broker, settings, streams, BoardNumbers(board: board, epoch: description.epoch),
          announces: false, clockError: nil, DispatchWorkQueue("sluice.mqtt"), happened)
      }
    #endif
    let server = try HTTPServerAddress(description.address, mayHaveSecrets: true)
    try checkSecrets(for: server.host, isEncrypted: server.isEncrypted, hasToken: true)
    _ = try Credentials(settings, for: server)
    return HTTPOutput.transport(to: server, settings, streams, board: board, compressor)
  }

  /// Somebody else may have written the address, for example if the folder is a copy.
  /// - Throws: If a secret of the environment would go to a server that nobody has named, or if a secret would leave this
  ///   machine without encryption and nobody has said that it may.
  func checkSecrets(for host: String, isEncrypted: Bool, hasToken: Bool) throws(SluiceError) {
    if settings.secretsFor == nil, Credentials.areOfTheEnvironment(settings, hasToken: hasToken) {
      throw SluiceError(
        .usage, "send to", shownAddress,
        because: "the address is the one in \(folder), and it would get the token or the login of the environment",
        remedy: "if it is the right one, name it: --server secrets-for=HOST")
    }
    // A name with `http://` or `mqtt://` before it fits only an address without encryption, so the user has said that it may be one.
    guard !isEncrypted, !HTTPServerAddress.isHere(host), Credentials.areGiven(settings, hasToken: hasToken),
      !(settings.secretsFor?.contains("://") ?? false)
    else { return }
    throw SluiceError(
      .usage, "send to", shownAddress,
      because: "the address is the one in \(folder), and the token or the login would go there without encryption",
      remedy: "if that is right, name it with its beginning: --server secrets-for=\(hasToken ? "http" : "mqtt")://HOST")
  }

  private typealias Group = (spool: any SendSpool, streams: [UInt8])

  private var undescribed: SluiceError {
    SluiceError(
      .malformed, "resend from", folder, because: "the descriptions of all its streams are damaged",
      remedy: "without them nobody knows what the values are; restore the folder from a copy, or remove it")
  }

  /// What waits has the streams of one recording.
  private var waiting: [Group] {
    guard !numbers.isEmpty, let streams = log.describedStreams else {
      log.close()
      return []
    }
    return [(DiskSpool(log, limit: .max), streams)]
  }

  private var again: [Group] {
    log.describedGroups.compactMap { group in
      let part = group.numbers.clamped(to: numbers)
      return part.isEmpty ? nil : (RangeSpool(log, part), group.streams)
    }
  }
}

extension SendingCounts {
  fileprivate mutating func add(_ other: SendingCounts) {
    queued += other.queued
    for path in [\SendingCounts.sent, \.acknowledged, \.repeated, \.refused, \.dropped] {
      if let times = other[keyPath: path].times { self[keyPath: path].add(other[keyPath: path].readings, times) }
    }
    resumed += other.resumed
    lost += other.lost
    lostOfEarlierRun += other.lostOfEarlierRun
    bytes = max(bytes, other.bytes)
  }
}
