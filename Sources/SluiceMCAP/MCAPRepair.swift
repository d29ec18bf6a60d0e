package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Repairs a file: cuts off what a kill has left, writes the summary that finds every chunk, and takes out what is damaged.
///
/// If the end of a file of `sluice` is cut off, the file is changed where it is. Otherwise everything whole is copied into a
/// new file of the same name, and the damaged file is kept beside it.
package enum MCAPRepair: FormatRepair {
  package static let extensions = MCAPFormat.extensions

  package static func recognizes(_ beginning: [UInt8]) -> Bool {
    beginning.count >= MCAP.magic.count && zip(beginning, MCAP.magic).count { $0 == $1 } >= MCAP.magic.count - 2
  }

  package static func repair(
    _ path: String, _ descriptor: Int32, _ disk: Disk, isDryRun: Bool
  ) throws(SluiceError) -> FormatDamage {
    var unsupported = ""
    do throws(SystemErrno) {
      let file = try FileBytes(disk.files, descriptor, closes: false)
      if file.size == 0 { return FormatDamage(tail: TornTail(end: 0, size: 0)) }
      let salvage = try MCAPSalvage(file)
      if salvage.unsupported == nil {
        var damage = damage(salvage, path, file.size)
        guard !isDryRun, !damage.isEmpty else { return damage }
        if try isTorn(salvage, file), salvage.inside(file.size).isEmpty, salvage.wrongIndexes.isEmpty {
          try endAnew(salvage, descriptor, disk)
        } else {
          let kept = try copy(salvage, file, descriptor, path, disk)
          damage.repairs.append("\(path): it was written anew; the damaged file is now \(kept)")
        }
        return damage
      }
      unsupported = salvage.unsupported ?? ""
    } catch {
      throw SluiceError(
        "repair", path, errno: error.code, remedy: SystemErrno.ofFullDisk.contains(error.code) ? "free some space" : nil
      )
    }
    throw SluiceError(.unsupported, "repair", path, because: "of a chunk, \(unsupported)")
  }

  /// What is damaged in a file in memory, for a test.
  static func damage(in bytes: [UInt8]) throws(SystemErrno) -> FormatDamage {
    damage(try MCAPSalvage(FileBytes(bytes)), "file", Int64(bytes.count))
  }

  private static func damage(_ salvage: MCAPSalvage, _ path: String, _ size: Int64) -> FormatDamage {
    var damage = FormatDamage(tail: TornTail(end: size, size: size))
    let inside = salvage.inside(size)
    if salvage.damages.count > inside.count {
      damage.tail = TornTail(chunksEndAt: salvage.end, size: size, isUnfinished: true)
    }
    damage.faults = inside.map { fault in
      let count = fault.range.upperBound - fault.range.lowerBound
      return "\(path): \(grouped(Int(count))) bytes from byte \(fault.range.lowerBound) on are damaged: \(fault.text)"
    }
    damage.faults += salvage.missing.map { "\(path): \($0.text)" }
    damage.repairs = (salvage.wrongIndexes + (salvage.summaryFault.map { [$0] } ?? [])).map { "\(path): \($0)" }
    if !salvage.isFinished, salvage.isOurs, damage.repairs.isEmpty {
      damage.repairs.append("\(path): it has no summary, because the last run did not end")
    }
    return damage
  }

  /// Whether nothing that anybody could read is behind the last whole chunk. A file of another program may have chunks there
  /// that other programs can read, and `sluice` cannot. A file that ends as MCAP ends may have records there whose place is not known.
  private static func isTorn(_ salvage: MCAPSalvage, _ file: FileBytes) throws(SystemErrno) -> Bool {
    guard salvage.isOurs, !salvage.isFinished else { return salvage.isFinished }
    let count = MCAP.magic.count
    guard file.size >= Int64(count) else { return true }
    return try file.bytes(at: file.size - Int64(count), count) != MCAP.magic
  }

  /// Cuts off what is behind the last whole chunk, and writes the summary.
  private static func endAnew(_ salvage: MCAPSalvage, _ descriptor: Int32, _ disk: Disk) throws(SystemErrno) {
    try disk.files.truncate(descriptor, to: salvage.end)
    var summary = salvage.summary
    let numbers = numbers(salvage, &summary, at: salvage.end)
    let bytes = numbers + salvage.end(summary, dataCRC: nil, at: salvage.end + Int64(numbers.count))
    if let error = bytes.withUnsafeBytes({ disk.files.write(all: $0, to: descriptor) }).error {
      try? disk.files.truncate(descriptor, to: salvage.end)
      throw error
    }
    try disk.files.sync(descriptor)
  }

  /// The record with the last numbers of streams whose last messages are taken out, so that the next run goes on behind them.
  private static func numbers(_ salvage: MCAPSalvage, _ summary: inout Summary, at offset: Int64) -> [UInt8] {
    guard !salvage.ends.isEmpty else { return [] }
    var writer = RecordWriter()
    MCAPMetadata.numbers(salvage.ends).write(to: &writer)
    summary.metadata.append(
      MetadataIndexRecord(
        offset: UInt64(offset), length: UInt64(writer.bytes.count), name: MCAPMetadata.numbersName))
    return writer.bytes
  }

  /// Copies all that is whole into a new file, which gets the name, the owner and the mode of the damaged one.
  /// - Returns: The new name of the damaged file.
  private static func copy(
    _ salvage: MCAPSalvage, _ file: FileBytes, _ damaged: Int32, _ path: String, _ disk: Disk
  ) throws(SystemErrno) -> String {
    let files = disk.files
    let temporary = path + temporaryEnding
    try? files.remove(temporary)
    let descriptor = try files.open(temporary, O_WRONLY | O_APPEND | O_CREAT | O_EXCL)
    do throws(SystemErrno) {
      try files.copyOwner(of: damaged, to: descriptor)
      try write(salvage, file, descriptor, files)
      try files.sync(descriptor)
    } catch {
      try? files.close(descriptor)
      try? files.remove(temporary)
      throw error
    }
    try files.close(descriptor)
    var kept = path + ".damaged"
    var number = 1
    while (try? files.status(at: kept)) != nil {
      number += 1
      kept = "\(path).damaged.\(number)"
    }
    // At every moment one of the files has the name. A file system without further names, such as FAT, has a gap there.
    do throws(SystemErrno) { try files.link(path, to: kept) } catch { try files.rename(path, to: kept) }
    try files.rename(temporary, to: path)
    try files.sync(folder: folder(of: path))
    return kept
  }

  private static func write(
    _ salvage: MCAPSalvage, _ file: FileBytes, _ descriptor: Int32, _ files: any FileSystem
  ) throws(SystemErrno) {
    var crc = CRC32()
    var length: Int64 = 0
    func put(_ bytes: [UInt8]) throws(SystemErrno) {
      if let error = bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      bytes.withUnsafeBytes { crc.add($0) }
      length += Int64(bytes.count)
    }
    var summary = Summary()
    for schema in salvage.summary.schemas { summary.add(schema) }
    for channel in salvage.summary.channels { summary.add(channel) }
    if salvage.hasLooseMessages {
      // Their channels are in no chunk.
      for schema in salvage.loose.schemas where summary.schema(schema.id) == nil { summary.add(schema) }
      for channel in salvage.loose.channels where summary.channel(channel.id) == nil { summary.add(channel) }
    }
    try put(salvage.hasHeader ? try file.bytes(at: 0, Int(salvage.headerEnd)) : MCAPEncoder.header)
    // The definitions that were lost with a chunk, and all others once more, which is allowed.
    var definitions = RecordWriter()
    for schema in summary.schemas { schema.write(to: &definitions) }
    for channel in summary.channels { channel.write(to: &definitions) }
    try put(definitions.bytes)
    for piece in salvage.pieces where piece.kind != .schema && piece.kind != .channel {
      let start = length
      var offset = piece.offset
      let end = piece.offset + piece.length
      while offset < end {
        let bytes = try file.bytes(at: offset, Int(min(1 << 20, end - offset)))
        if bytes.isEmpty { throw SystemErrno(EIO) }
        try put(bytes)
        offset += Int64(bytes.count)
      }
      if piece.kind == .metadata {
        summary.metadata.append(
          MetadataIndexRecord(offset: UInt64(start), length: UInt64(piece.length), rawName: piece.name))
      }
      if var attachment = piece.attachment {
        attachment.offset = UInt64(start)
        summary.attachments.append(attachment)
      }
      guard var index = piece.index else { continue }
      try put(piece.indexes)
      let (moved, before) = (UInt64(start), UInt64(piece.offset))
      index.offset = moved
      index.indexes = index.indexes.map { ($0.channel, $0.offset - before + moved) }
      summary.add(index, counts: piece.counts)
    }
    try put(numbers(salvage, &summary, at: length))
    try put(salvage.end(summary, dataCRC: crc.value, at: length))
  }
}
