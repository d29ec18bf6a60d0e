import SluiceLog
package import SluiceReadings
import SluiceRecording
package import SluiceSystem

/// The folder of the spool of one server: its log, and what belongs to it.
///
/// `--spool DIR` is a folder of such folders, one for each server, named after its address.
package struct SpoolFolder {
  /// What stands beside the log, in `spool.json`.
  package struct Description: Equatable, Sendable, Codable {
    package var version = 1
    /// The address of the server, as it was given.
    package var address: String
    /// What the server knows this board by.
    package var board: String
    /// A random number that the sequence numbers belong to.
    package var epoch: String
    /// The machine that has begun it: /etc/machine-id. Empty if it has none.
    package var machine: String
    /// Whether values are sent without offset and scale.
    package var raw = false
    /// The decimals that values are rounded to; nil sends all.
    package var decimals: Int?
    /// The tags of each row, `site=cellar`; nil if there are none.
    package var tags: [String]?
    /// The number of the last run; an older version does not know it.
    package var run: UInt32?
    /// The serial number of the machine; nil if it has none, or if an older version has begun the spool.
    package var serial: String?
    /// When the folder was made, in nanoseconds since the epoch; nil if the file system does not know it, or if an
    /// older version has begun the spool. A folder that was copied, restored or moved from another file system has
    /// another time.
    package var birth: Int64?

    /// Whether another machine has begun it, as far as this can be known.
    func isOfOtherMachine(_ here: BoardIdentity) -> Bool {
      if let serial, let own = here.serial, serial != own { return true }
      return !machine.isEmpty && !here.machine.isEmpty && machine != here.machine
    }
  }

  /// How readings are written.
  fileprivate struct Style: Equatable {
    var raw: Bool
    var decimals: Int?
    var tags: [String]?
  }

  static let descriptionName = "spool.json"

  package let path: String
  package let description: Description
  let log: SegmentLog

  /// The readings that an earlier run has left.
  package var waiting: Int { log.waiting }

  /// The name of the folder of a server: its address without characters that need quotes.
  package static func name(of address: String) -> String {
    var name = ""
    for character in address {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-.".contains(character))
      if isPlain { name.append(character) } else if !name.hasSuffix("_") { name.append("_") }
    }
    // Two addresses must not share a folder, and a name has 255 bytes at most. FNV-1a tells them apart.
    let mixed = address.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return "\(name.prefix(150))-\(String(mixed, radix: 16))"
  }

  /// What was found that the user should know.
  let faults: [SluiceError]

  /// Opens the spool of a server, and makes its folder. What is damaged, or of other streams, is no reason not to begin: it
  /// is set aside.
  /// - Throws: If its disk fails or is full, and nothing waits in it; or if another recording has it open.
  init(
    of address: String, in parent: String, _ settings: ServerSettings, _ streams: [StreamDescription], raw: Bool,
    decimals: Int?, tags: [RowTag] = [], _ surroundings: BoardIdentity, _ disk: Disk
  ) throws(SluiceError) {
    let path = "\(parent.hasSuffix("/") ? String(parent.dropLast()) : parent)/\(Self.name(of: address))"
    try Self.make(parent, disk)
    try Self.make(path, disk)
    var limits = SegmentLog.Limits()
    limits.segment = min(limits.segment, max(64 << 10, settings.spoolSize / 8))
    let (described, run) = (DiskSpool.description(of: streams), UInt64.random(in: 1 ... .max))
    // It locks the folder, so what is in it changes no more.
    var log = try SegmentLog(path, files: disk.files, limits: limits, streams: described, run: run)
    do throws(SluiceError) {
      var faults = log.faults
      var known = Self.known(path, disk, &faults)
      let style = Style(raw: raw, decimals: decimals, tags: tags.isEmpty ? nil : tags.map(\.description))
      if let cause = Self.cause(
        toSetAside: log, known, streams, style, surroundings, disk.files.birth(of: path))
      {
        let isOwn = known.map { !$0.isOfOtherMachine(surroundings) } ?? true
        let board = isOwn ? known?.board : nil
        // The board may already have sent readings with these times.
        let times = isOwn ? SpoolTimes(log, [], disk) : nil
        faults.append(try Self.setAside(log, path, because: cause, disk))
        known = nil
        try Self.make(path, disk)
        times?.begin(in: path)
        log = try SegmentLog(path, files: disk.files, limits: limits, streams: described, run: run)
        description = Self.described(
          address, settings.board ?? board, nil, surroundings, style, disk.files.birth(of: path))
      } else {
        description = Self.described(address, settings.board, known, surroundings, style, disk.files.birth(of: path))
      }
      faults += Self.leftAside(path, but: faults, disk)
      if description != known {
        do throws(SluiceError) { try description.write(path, disk) } catch {
          // What waits is sent, and then there is room.
          if log.waiting == 0 { throw error }
          faults.append(error)
        }
      }
      (self.path, self.log, self.faults) = (path, log, faults)
    } catch {
      log.close()
      throw error
    }
  }

  private static func make(_ folder: String, _ disk: Disk) throws(SluiceError) {
    do throws(SystemErrno) { try disk.files.makeFolder(folder) } catch  where error.code == EEXIST {
    } catch {
      throw SluiceError(
        "make the folder", folder, errno: error.code,
        remedy: "give --wait-on-disk a folder that this user may write to")
    }
    try disk.files.checkOwner(of: folder, "keep readings in")
  }

  /// What stands in `spool.json`; nil if there is none, or if it is damaged.
  private static func known(_ path: String, _ disk: Disk, _ faults: inout [SluiceError]) -> Description? {
    do throws(SluiceError) { return try described(path, disk.files) } catch {
      let file = "\(path)/\(descriptionName)"
      try? disk.files.rename(file, to: file + ".damaged")
      faults.append(
        SluiceError(
          error.code, "read", file, because: "it does not describe a spool any more",
          remedy:
            "the spool gets a new epoch, and its readings are sent with the name of --server board=, or of this host"
        ))
      return nil
    }
  }

  private static func described(
    _ address: String, _ board: String?, _ known: Description?, _ surroundings: BoardIdentity, _ style: Style,
    _ birth: Int64?
  ) -> Description {
    var description = Description(
      address: address, board: board ?? known?.board ?? surroundings.name, epoch: known?.epoch ?? surroundings.epoch(),
      machine: surroundings.machine)
    description.style = style
    // A spool that is described anew may have had runs.
    description.run = known?.run.map { $0 &+ 1 } ?? UInt32.random(in: 0..<1 << 16)
    (description.serial, description.birth) = (surroundings.serial ?? known?.serial, birth ?? known?.birth)
    return description
  }

  /// Why what is in the log cannot be sent by this recording; nil if it can.
  private static func cause(
    toSetAside log: SegmentLog, _ known: Description?, _ streams: [StreamDescription],
    _ style: Style, _ surroundings: BoardIdentity, _ birth: Int64?
  ) -> String? {
    if let known, known.isOfOtherMachine(surroundings) {
      return "another machine has begun it, and two machines with one spool would send different readings under the "
        + "same numbers"
    }
    if let before = known?.birth, let birth, before != birth {
      return "its folder was copied, restored or moved from another file system since the last run, and two copies of "
        + "one spool would send different readings under the same numbers"
    }
    if log.waiting > 0, let known, known.style != style {
      let what = known.style.tags == style.tags ? "whose values are written in another way" : "with other tags"
      return "it has \(grouped(log.waiting)) readings \(what)"
    }
    guard log.waiting > 0, let there = log.describedStreams else { return nil }
    // A device may have another number after each boot; the server does not get it.
    let before = (try? TraceMetadata(there, path: log.folder).streams) ?? nil
    return before.map { sent($0) == sent(streams) } ?? false
      ? nil : "it has \(grouped(log.waiting)) readings of other streams, or of other channels"
  }

  private static func sent(_ streams: [StreamDescription]) -> [UInt8] {
    DiskSpool.description(
      of: streams.map { stream in
        var stream = stream
        stream.device = nil
        return stream
      })
  }

  /// Gives the folder another name.
  /// - Returns: What the user should know.
  private static func setAside(
    _ log: SegmentLog, _ path: String, because cause: String, _ disk: Disk
  ) throws(SluiceError) -> SluiceError {
    // What the server has is not kept there.
    while let oldest = log.oldestSegment, oldest.upperBound <= log.watermark.next { log.removeOldest() }
    log.close()
    guard let other = (1...9_999).lazy.map({ "\(path).old-\($0)" }).first(where: { isFree($0, disk) }) else {
      throw SluiceError(
        .failed, "set aside the spool", path, because: "there is no free name for it",
        remedy: "send the spools \(path).old-… with sluice resend, or remove them")
    }
    do throws(SystemErrno) {
      try disk.files.rename(path, to: other)
      try disk.files.sync(folder: folder(of: path))
    } catch {
      throw SluiceError("set aside the spool", path, errno: error.code)
    }
    return SluiceError(
      .usage, "use the spool", path, because: cause,
      remedy: "it is \(other) now, and a new one is begun; to send it: sluice resend --spool \(quotedForShell(other))")
  }

  /// What still waits in the folders that were set aside before.
  private static func leftAside(
    _ path: String, but known: [SluiceError], _ disk: Disk
  ) -> [SluiceError] {
    let parent = folder(of: path)
    let prefix = path.dropFirst(parent.utf8.count).drop { $0 == "/" } + ".old-"
    let names = (try? disk.files.names(in: parent)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted().compactMap { name -> SluiceError? in
      let other = "\(parent)/\(name)"
      // The message about the one that was just set aside has its name.
      guard !known.contains(where: { "\($0)".contains(other) }) else { return nil }
      guard let log = try? SegmentLog(other, files: disk.files, isReading: true, besideWriter: true), log.waiting > 0
      else { return nil }
      defer { log.close() }
      return SluiceError(
        .usage, "send what waits in", other,
        because:
          "its \(grouped(log.waiting)) reading\(log.waiting == 1 ? " is" : "s are") of an earlier recording, with "
          + "other streams or of another machine", remedy: "send them: sluice resend --spool \(quotedForShell(other))")
    }
  }

  private static func isFree(_ path: String, _ disk: Disk) -> Bool {
    do throws(SystemErrno) { _ = try disk.files.status(at: path) } catch { return error.code == ENOENT }
    return false
  }

  /// The streams as they are sent.
  static func described(_ streams: [StreamDescription], raw: Bool, decimals: Int?, tags: [RowTag] = [])
    -> EncoderStreams
  {
    EncoderStreams(streams, raw: raw, style: RowStyle(decimals: decimals, tags: tags))
  }

  /// The folders of spools in a folder, or the folder itself if it is one.
  package static func folders(in path: String, _ files: any FileSystem = SystemFiles()) throws(SluiceError) -> [String]
  {
    let names: [String]
    do throws(SystemErrno) { names = try files.names(in: path) } catch {
      throw SluiceError("read the spool", path, errno: error.code, remedy: "give the folder of --wait-on-disk")
    }
    if names.contains(descriptionName) { return [path] }
    let parent = path.hasSuffix("/") ? path : path + "/"
    return names.sorted().map { parent + $0 }.filter { (try? files.status(at: "\($0)/\(descriptionName)")) != nil }
  }

  /// What stands in `spool.json`; nil if there is none.
  package static func described(_ path: String, _ files: any FileSystem = SystemFiles()) throws(SluiceError)
    -> Description?
  {
    let file = "\(path)/\(descriptionName)"
    let bytes: [UInt8]
    do throws(SystemErrno) { bytes = try files.contents(of: file, limit: 1 << 16) } catch {
      if error.code == ENOENT { return nil }
      throw SluiceError("read", file, errno: error.code)
    }
    guard let description: Description = try? JSON(parsing: bytes).decode(),
      description.style.decimals.map({ (0...18).contains($0) }) ?? true
    else {
      throw SluiceError(
        .malformed, "read", file, because: "it does not describe a spool",
        remedy: "begin its recording again: it describes the spool anew, and sends the readings")
    }
    return description
  }
}

extension SpoolFolder.Description {
  fileprivate func write(_ path: String, _ disk: Disk) throws(SluiceError) {
    let file = "\(path)/\(SpoolFolder.descriptionName)"
    // Encoding texts and numbers cannot fail.
    let text = (try? JSON(encoding: self))?.lines() ?? ""
    do throws(SystemErrno) { try disk.files.replace(file, with: Array((text + "\n").utf8), syncs: disk.syncs) } catch {
      throw SluiceError("write", file, errno: error.code)
    }
  }
}

extension SpoolFolder.Description {
  fileprivate var style: SpoolFolder.Style {
    get { SpoolFolder.Style(raw: raw, decimals: decimals, tags: tags) }
    set { (raw, decimals, tags) = (newValue.raw, newValue.decimals, newValue.tags) }
  }

  /// The tags of each row.
  var rowTags: [RowTag] { (tags ?? []).compactMap { RowTag($0) } }
}
