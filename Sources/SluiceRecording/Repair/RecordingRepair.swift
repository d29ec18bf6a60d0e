package import SluiceReadings
package import SluiceSystem

/// Cuts off the torn end of a recording, like a run with `--append`, and says so in its metadata.
package struct RecordingRepair: Sendable {
  private let path: String
  private let disk: Disk
  /// The repairs of formats that are no text.
  private let formats: [any FormatRepair.Type]

  package init(_ path: String, _ disk: Disk = Disk(), formats: [any FormatRepair.Type] = []) {
    self.path = path
    self.disk = disk
    self.formats = formats
  }

  /// The repair of the format of the file; nil for text.
  private var format: (any FormatRepair.Type)? {
    let beginning = (try? disk.files.contents(of: path, limit: 512)) ?? []
    return formats.first { $0.recognizes(beginning) }
  }

  /// The endings of the files that can be repaired.
  package static let extensions = CSVFormat.extensions + JSONLinesFormat.extensions + InfluxFormat.extensions

  /// - Parameter isDryRun: Whether to change nothing.
  /// - Returns: The tails that were, or would be, cut off the recording and the file of its earlier runs, if there is
  ///   one.
  /// - Throws: If another recording writes the file; `.unsupported` if the file cannot be repaired.
  package func run(isDryRun: Bool) throws(SluiceError) -> (rows: FormatDamage, runs: TornTail?) {
    let format = format
    let descriptor = try open((isDryRun ? O_RDONLY : O_RDWR) | (format == nil ? 0 : O_APPEND))
    defer { try? disk.files.close(descriptor) }
    try lock(descriptor)
    if let format {
      let damage = try format.repair(path, descriptor, disk, isDryRun: isDryRun)
      let runs = try RunsFile(beside: path, disk).repair(isDryRun: isDryRun)
      if !isDryRun {
        try MetadataFile(beside: path, disk).add(
          TraceMetadata.Repair(time: EpochClock().now, bytes: damage.tail.byteCount))
      }
      return (damage, runs)
    }
    let tail = try tail(of: descriptor, isWholeFile: false)
    do throws(SystemErrno) {
      if !isDryRun, !tail.isEmpty {
        try disk.files.truncate(descriptor, to: tail.end)
        try disk.files.sync(descriptor)
      }
    } catch {
      throw SluiceError("repair", path, errno: error.code)
    }
    let runs = try RunsFile(beside: path, disk).repair(isDryRun: isDryRun)
    if !isDryRun {
      try MetadataFile(beside: path, disk).add(TraceMetadata.Repair(time: EpochClock().now, bytes: tail.byteCount))
    }
    return (FormatDamage(tail: tail), runs)
  }

  /// The damage of a format that is no text; nil for text. It changes nothing, and works even while another recording writes
  /// the file.
  package func inspectFormat() throws(SluiceError) -> FormatDamage? {
    guard let format else { return nil }
    let descriptor = try open(O_RDONLY)
    defer { try? disk.files.close(descriptor) }
    return try format.repair(path, descriptor, disk, isDryRun: true)
  }

  /// The tail that a repair would cut off. It works even while another recording writes the file.
  /// - Parameter isWholeFile: Whether to search the part of the file that no crash should have damaged, too.
  package func inspect(isWholeFile: Bool) throws(SluiceError) -> TornTail {
    let descriptor = try open(O_RDONLY)
    defer { try? disk.files.close(descriptor) }
    return try tail(of: descriptor, isWholeFile: isWholeFile)
  }

  private func open(_ mode: Int32) throws(SluiceError) -> Int32 {
    var isRegular = false
    do throws(SystemErrno) {
      isRegular = try disk.files.status(at: path).isRegular
      // The file may have become a FIFO, and opening a FIFO would block.
      if isRegular { return try disk.files.open(path, mode | O_NOFOLLOW | O_NONBLOCK) }
    } catch {
      throw SluiceError("repair", path, errno: error.code)
    }
    throw SluiceError(
      .unsupported, "repair", path, because: "it is not a regular file", remedy: "give the path of the file itself")
  }

  private func lock(_ descriptor: Int32) throws(SluiceError) {
    do throws(SystemErrno) { try disk.files.lock(descriptor) } catch {
      // Some file systems do not support locks.
      guard error.code == EWOULDBLOCK else { return }
      throw SluiceError(
        .busy, "repair", path, because: "another recording is writing it", remedy: "stop that first",
        errno: EWOULDBLOCK)
    }
  }

  private func tail(of descriptor: Int32, isWholeFile: Bool) throws(SluiceError) -> TornTail {
    let metadata = try? MetadataFile(beside: path, disk).read()
    var beginning: [UInt8] = []
    do throws(SystemErrno) {
      beginning = try disk.files.contents(of: path, limit: 64 << 10)
      // A run was killed before its first write, or a repair has cut off all that was there.
      if beginning.isEmpty { return TornTail(end: 0, size: 0) }
      if !isCompressed(beginning), let shape = shape(beginning[...], metadata) {
        return try TornTail.find(
          disk.files, descriptor, shape, metadata.map { LastRun($0) }, isWholeFile: isWholeFile)
      }
    } catch {
      throw SluiceError("repair", path, errno: error.code)
    }
    let isCompressed = isCompressed(beginning)
    let isDatabase = beginning.starts(with: "SQLite format 3\0".utf8)
    throw SluiceError(
      .unsupported, "repair", path,
      because: isCompressed
        ? "it is compressed"
        : isDatabase
          ? "it is a database, which its own journal repairs when it is opened"
          : "it is not a text file that sluice has written",
      remedy: isCompressed ? "replay it into another file, which will have every whole row" : nil)
  }

  /// Whether it is compressed with gzip or Zstandard. The metadata of such a file has the format of the uncompressed
  /// file.
  private func isCompressed(_ beginning: [UInt8]) -> Bool {
    [[0x1f, 0x8b], [0x28, 0xb5, 0x2f, 0xfd]].contains { beginning.starts(with: $0) }
  }

  /// The name of the format of a part, by its ending. Only sluice gives a file such a name.
  private var formatOfPart: String? {
    guard let ending = PartName(fileName(of: path))?.ending else { return nil }
    let formats: [any RecordingFormat.Type] = [CSVFormat.self, JSONLinesFormat.self, InfluxFormat.self]
    return formats.first { $0.extensions.contains(ending) }?.name
  }

  /// The shape of the rows; nil if sluice did not write the file.
  private func shape(_ beginning: ArraySlice<UInt8>, _ metadata: TraceMetadata?) -> RowShape? {
    let text = beginning.prefix { $0 != 0 }
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let format = metadata?.format ?? (text.isEmpty ? formatOfPart : nil)
    let isLines = [JSONLinesFormat.name, InfluxFormat.name].contains(format)
    if isLines || RowTime.allCases.contains(where: { line.starts(with: "{\"\($0.column)\":".utf8) }) { return .lines }
    let isWholeHeader = line.endIndex < text.endIndex
    let title = line.prefix { $0 != UInt8(ascii: ",") }
    if isWholeHeader, let time = RowTime(column: title), time == .nanoseconds || metadata != nil {
      return RowShape(header: Array(line) + [UInt8(ascii: "\n")])
    }
    // The file is torn within its header, or has only NUL bytes.
    let isHeader = RowTime.allCases.contains { $0.column.utf8.starts(with: title) }
    return format == CSVFormat.name && !isWholeHeader && isHeader ? .csv(header: 0, isLong: false) : nil
  }
}

/// The files in a folder with one of these endings, in the order of their names. Files of earlier runs do not count.
package func recordings(
  in folder: String, endingIn extensions: [String], _ files: any FileSystem = SystemFiles()
) throws(SluiceError) -> [String] {
  do throws(SystemErrno) {
    let names = try files.names(in: folder).filter { name in
      !name.hasPrefix("._") && !isBesideRecording(name) && extensions.contains { name.hasSuffix(".\($0)") }
    }
    return names.sorted().map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
  } catch {
    throw SluiceError("read", folder, errno: error.code)
  }
}
