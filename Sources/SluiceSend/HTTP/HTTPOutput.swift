import Sluice
import SluiceLog
package import SluiceReadings
@_spi(Preview) package import SluiceRecording
import SluiceSystem

/// An output that is a server of line protocol: `http://HOST/write?db=NAME`.
package struct HTTPOutput: OutputKind {
  package let address: String
  package var format: String? { InfluxFormat.name }

  package init?(_ address: String) {
    guard HTTPServerAddress.isAddress(address) else { return nil }
    self.address = address
  }

  package func check() throws(SluiceError) { _ = try HTTPServerAddress(address) }

  package func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] {
    let server = try HTTPServerAddress(address)
    try output.format.check(streams, of: address, output.style)
    let surroundings = claims.servers
    // A missing library is known before the first reading.
    _ = try HTTPClient(server, surroundings.settings)
    _ = try Credentials(surroundings.settings, for: server)
    let changed: @Sendable (OutputEvent) -> Void = { surroundings.changed(number, $0) }
    let sending = try Self.sending(
      server, streams, raw: output.raw, decimals: output.style.decimals, surroundings, claims.disk, identity: .current)
    let sender = sending.sender
    sender.happened = changed
    let store = ServerStore(
      sender, to: address, folder: sending.folder, waits: !surroundings.isLive, faults: sending.faults, changed)
    let claim = ServerClaim(name: address) { sender.stop() }
    claims.add(claim)
    return [ClaimedStore(store, claim)]
  }

  static func sending(
    _ address: HTTPServerAddress, _ streams: [StreamDescription], raw: Bool, decimals: Int?,
    _ surroundings: ServerSurroundings, _ disk: Disk, identity: BoardIdentity
  ) throws(SluiceError) -> (sender: Sender, folder: String?, faults: [SluiceError]) {
    let settings = surroundings.settings
    let described = SpoolFolder.described(streams, raw: raw, decimals: decimals)
    func inMemory(_ faults: [SluiceError]) -> (sender: Sender, folder: String?, faults: [SluiceError]) {
      let transport = Self.transport(
        to: address, settings, described, board: settings.board ?? identity.name, surroundings.compressor)
      let sender = Sender(
        to: address.text, settings, MemorySpool(), transport, DispatchWorkQueue("sluice.sender"), sync: disk.sync,
        refusals: nil, patience: Patience.of(isLasting: false, isLive: surroundings.isLive), seed: Self.seed)
      return (sender, nil, faults)
    }
    guard let parent = settings.spool else { return inMemory([]) }
    let folder: SpoolFolder
    do throws(SluiceError) {
      folder = try SpoolFolder(
        of: address.text, in: parent, settings, streams, raw: raw, decimals: decimals, identity, disk)
    } catch {
      guard let code = error.errno, [ENOSPC, EDQUOT, EIO, EROFS].contains(code) else { throw error }
      // A disk that fails is no reason to record nothing.
      let fault = SluiceError(
        error.code, error.action, error.object, because: error.cause,
        remedy: "until the next start, readings for \(address.text) wait in memory only", errno: code)
      return inMemory([fault])
    }
    let transport = transport(
      to: address, settings, described, board: folder.description.board, surroundings.compressor)
    // A replay that is begun again has the same readings, which are the same points.
    let times = surroundings.isLive ? SpoolTimes(folder.log, streams, disk) : nil
    let sender = Sender(
      to: address.text, settings, DiskSpool(folder.log, limit: Int64(settings.spoolSize), times: times), transport,
      DispatchWorkQueue("sluice.sender"), sync: disk.sync,
      refusals: RefusedReadings(in: folder.path, described, limit: Int64(settings.spoolSize / 8), disk.files),
      patience: Patience.of(isLasting: true, isLive: surroundings.isLive), seed: Self.seed,
      equalTimes: EqualTimes(after: times?.earlier(streams) ?? [], run: folder.description.run ?? 0))
    return (sender, folder.path, folder.faults)
  }

  static func transport(
    to address: HTTPServerAddress, _ settings: ServerSettings, _ streams: EncoderStreams, board: String,
    _ compressor: (@Sendable () -> any Compressor)?
  ) -> HTTPTransport {
    HTTPTransport(
      address, settings, streams, board: board, compressor: compressor?(), DispatchWorkQueue("sluice.http"))
  }

  static var seed: UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }
}

/// How long a sender goes on after the end of a recording.
enum Patience {
  private static let second: Int64 = 1_000_000_000

  /// A live recording that was stopped has 10 s by default (`--grace`) for all its outputs. What waits on the disk is sent by
  /// the next run. A replay has the time that it needs, as long as the server takes something.
  static func of(isLasting: Bool, isLive: Bool) -> (without: Int64, with: Int64) {
    switch (isLasting, isLive) {
    case (true, true): (2 * second, 5 * second)
    case (false, true): (8 * second, 8 * second)
    case (_, false): (30 * second, .max / 2)
    }
  }
}
