import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A sender, with its spool and its way to the server.
struct ServerSending {
  let sender: Sender
  /// The folder of the spool; nil if it is in memory.
  let folder: String?
  /// What was found when the spool was opened.
  let faults: [SluiceError]

  /// - Parameter transport: Makes the way to the server, for the streams as they are sent.
  init(
    to address: String, _ streams: [StreamDescription], raw: Bool, decimals: Int?, tags: [RowTag] = [],
    _ surroundings: ServerSurroundings, _ disk: Disk, identity: BoardIdentity,
    _ transport: (EncoderStreams, BoardNumbers) -> any BatchTransport
  ) throws(SluiceError) {
    let settings = surroundings.settings
    let described = SpoolFolder.described(streams, raw: raw, decimals: decimals, tags: tags)
    let found = try Self.spool(of: address, streams, raw: raw, described.style, settings, disk, identity: identity)
    guard let spool = found.spool else {
      // Numbers begin anew with each run, so they belong to an epoch of this run.
      let board = BoardNumbers(board: settings.board ?? identity.name, epoch: identity.epoch())
      sender = Sender(
        to: address, settings, MemorySpool(), transport(described, board), DispatchWorkQueue("sluice.sender"),
        sync: disk.sync, refusals: nil, patience: Patience.of(isLasting: false, isLive: surroundings.isLive),
        seed: Self.seed)
      (folder, faults) = (nil, found.fault.map { [$0] } ?? [])
      return
    }
    let board = BoardNumbers(board: spool.description.board, epoch: spool.description.epoch)
    let times = SpoolTimes(spool.log, streams, disk)
    // A replay that is begun again has the same readings, which are the same points.
    let earlier = surroundings.isLive ? times.earlier(streams) : []
    sender = Sender(
      to: address, settings, DiskSpool(spool.log, limit: Int64(settings.spoolSize), times: times),
      transport(described, board), DispatchWorkQueue("sluice.sender"), sync: disk.sync,
      refusals: RefusedReadings(in: spool.path, described, limit: Int64(settings.spoolSize / 8), disk.files),
      patience: Patience.of(isLasting: true, isLive: surroundings.isLive), seed: Self.seed,
      equalTimes: EqualTimes(after: earlier, run: spool.description.run ?? 0), sendsFresh: surroundings.isLive)
    (folder, faults) = (spool.path, spool.faults)
  }

  /// The spool on the disk; nil if there is none, or if its disk fails, which is no reason to record nothing.
  private static func spool(
    of address: String, _ streams: [StreamDescription], raw: Bool, _ style: RowStyle, _ settings: ServerSettings,
    _ disk: Disk, identity: BoardIdentity
  ) throws(SluiceError) -> (spool: SpoolFolder?, fault: SluiceError?) {
    guard let parent = settings.spool else { return (nil, nil) }
    do throws(SluiceError) {
      let spool = try SpoolFolder(
        of: address, in: parent, settings, streams, raw: raw, decimals: style.decimals, tags: style.tags, identity, disk
      )
      return (spool, nil)
    } catch {
      guard let code = error.errno, SystemErrno.ofDisk.contains(code) else { throw error }
      return (
        nil,
        SluiceError(
          error.code, error.action, error.object, because: error.cause,
          remedy: "until the next start, readings for \(address) wait in memory only", errno: code)
      )
    }
  }

  static var seed: UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }
}

/// Whose readings are sent, and what their sequence numbers belong to.
package struct BoardNumbers: Equatable, Sendable {
  /// The name of the board; empty for none.
  package var board: String
  /// A random number, in hexadecimal digits. Sequence numbers of two epochs have nothing to do with each other.
  package var epoch: String

  package init(board: String, epoch: String) { (self.board, self.epoch) = (board, epoch) }
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
