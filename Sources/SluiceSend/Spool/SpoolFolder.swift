import SluiceLog
package import SluiceReadings
@_spi(Preview) import SluiceRecording
package import SluiceSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of the spool of one server: its log, and what belongs to it.
///
/// `--spool DIR` is a folder of such folders, one for each server, named after its address.
package struct SpoolFolder {
  /// What stands beside the log, in `spool.json`.
  package struct Description: Hashable, Sendable, Codable {
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
  }

  static let descriptionName = "spool.json"

  package let path: String
  package let description: Description
  let log: SegmentLog

  /// The readings that an earlier run has left.
  package var waiting: Int { Int(log.next - min(log.next, log.watermark.next)) }

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

  /// Opens the spool of a server, and makes its folder.
  /// - Throws: If another machine has begun it, if another recording has it open, or if it has readings of other streams.
  init(
    of address: String, in parent: String, _ settings: ServerSettings, _ streams: [StreamDescription], raw: Bool,
    decimals: Int?, _ surroundings: BoardIdentity, _ disk: Disk
  ) throws(SluiceError) {
    let path = "\(parent.hasSuffix("/") ? String(parent.dropLast()) : parent)/\(Self.name(of: address))"
    self.path = path
    for folder in [parent, path] {
      do throws(SystemErrno) { try disk.files.makeFolder(folder) } catch  where error.code == EEXIST {
      } catch {
        throw SluiceError(
          "make the folder", folder, errno: error.code,
          remedy: "give --spool a folder that this user may write to")
      }
    }
    let known = try Self.described(path, disk.files)
    if let known, !known.machine.isEmpty, !surroundings.machine.isEmpty, known.machine != surroundings.machine {
      throw SluiceError(
        .usage, "use the spool", path,
        because:
          "another machine has begun it, and two machines with one spool would send different readings under the "
          + "same numbers",
        remedy:
          "if that machine sends no more, remove \(path)/\(Self.descriptionName), and start again; otherwise give "
          + "another --spool")
    }
    let described = DiskSpool.description(of: streams)
    var limits = SegmentLog.Limits()
    limits.segment = min(limits.segment, max(64 << 10, settings.spoolSize / 8))
    log = try SegmentLog(path, files: disk.files, limits: limits, streams: described)
    var description = Description(
      address: address, board: settings.board ?? known?.board ?? surroundings.name,
      epoch: known?.epoch ?? surroundings.epoch(), machine: surroundings.machine)
    (description.raw, description.decimals) = (raw, decimals)
    self.description = description
    do throws(SluiceError) {
      if waiting > 0, let there = log.describedStreams, there != described {
        throw SluiceError(
          .usage, "send to", address, because: "\(path) has \(waiting) readings of other streams, or of other channels",
          remedy: "send them first: sluice resend --spool \(quotedForShell(path))")
      }
      if description != known { try description.write(path, disk) }
    } catch {
      log.close()
      throw error
    }
  }

  /// The streams as they are sent.
  static func described(_ streams: [StreamDescription], raw: Bool, decimals: Int?) -> EncoderStreams {
    var style = RowStyle()
    style.decimals = decimals
    return EncoderStreams(streams, raw: raw, style: style)
  }

  /// The folders of spools in a folder, or the folder itself if it is one.
  package static func folders(in path: String, _ files: any FileSystem = SystemFiles()) throws(SluiceError) -> [String]
  {
    let names: [String]
    do throws(SystemErrno) { names = try files.names(in: path) } catch {
      throw SluiceError("read the spool", path, errno: error.code, remedy: "give the folder of --spool")
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
    guard let description = try? JSONDecoder().decode(Description.self, from: Data(bytes)) else {
      throw SluiceError(
        .malformed, "read", file, because: "it does not describe a spool",
        remedy: "remove it: then the spool gets a new epoch, and its readings are still sent")
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
