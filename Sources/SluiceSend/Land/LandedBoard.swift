#if SLUICE_MQTT
  import SluiceLog
  import SluiceReadings
  import SluiceSystem

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// What has come from one board: a CSV file for each stream, and the numbers of its readings.
  ///
  /// Rows are written and synced first, and then one line of `numbers.jsonl`, which says the numbers and the ends of the files.
  /// Rows behind these ends are cut off at the next start: nobody knows their numbers, so they are a gap that the board closes.
  final class LandedBoard {
    let name: String
    let folder: String
    private let files: any FileSystem
    private(set) var epochs: [String: NumberRanges] = [:]
    /// By epoch, the number behind the last reading, as the board says it at its end. The broker says it again at each start.
    private var lastNumbers: [String: UInt64] = [:]
    /// The length of each file, as far as its rows are known.
    private var ends: [String: Int64] = [:]
    private var headers: [String: [UInt8]] = [:]
    /// The stream of each file. The second file of `imu`, and the first of `imu-2`, would both be `imu-2.csv`.
    private var streams: [String: String] = [:]
    /// By epoch, the count of messages when its last one came.
    private var latest: [String: Int] = [:]
    private var messages = 0
    /// The bytes of `numbers.jsonl` after which it is written anew, and those that it had then.
    private var longNumbers = LandedBoard.longNumbers
    private var compacted: Int64 = 0
    private var open: [String: Int32] = [:]
    /// What is not in `numbers.jsonl` yet.
    private var newNumbers: [String: [Range<UInt64>]] = [:]
    private var changed: Set<String> = []
    private(set) var duplicates = 0
    private(set) var rows = 0

    static let numbersName = "numbers.jsonl"
    /// The name of the board, which its folder cannot always have.
    static let nameName = "board"
    /// The most gaps of a board: one with more does not number its readings as a board does.
    private static let mostRanges = 100_000
    /// A board without a spool has a new epoch in each run.
    private static let mostEpochs = 10_000
    private static let mostHeaders = 1_000
    private static let mostFiles = 4_096
    /// The bytes of `numbers.jsonl` after which it is written anew. A longer one than the second is none of ours.
    fileprivate static let (longNumbers, mostNumbers): (Int64, Int64) = (16 << 20, 1 << 29)
    private static let mostOpen = 64

    /// A line of `numbers.jsonl`.
    private struct Line: Codable {
      /// By epoch, the first number behind each pair's first, and their count.
      var numbers: [String: [[UInt64]]]
      var ends: [String: Int64]
      /// By file, its stream; nil in the files of 0.1.0.
      var streams: [String: String]?
    }

    /// - Parameters:
    ///   - folder: The name of its folder.
    ///   - cut: Called with a file, and the number of bytes that are cut off.
    init(
      _ name: String, folder: String, in parent: String, _ files: any FileSystem, cut: (String, Int64) -> Void
    ) throws(SluiceError) {
      (self.name, self.files, self.folder) = (name, files, "\(parent)/\(folder)")
      let folder = self.folder
      do throws(SystemErrno) {
        do throws(SystemErrno) { try files.makeFolder(folder) } catch  where error.code == EEXIST {}
        guard try files.status(at: folder).identity.isDirectory else { throw SystemErrno(ENOTDIR) }
      } catch {
        throw SluiceError("make the folder", folder, errno: error.code)
      }
      try files.checkOwner(of: folder, "write to")
      try recover(cut)
      let path = "\(folder)/\(Self.nameName)"
      do throws(SystemErrno) { try files.replace(path, with: Array(name.utf8), syncs: true) } catch {
        throw SluiceError("write", path, errno: error.code)
      }
    }

    /// A name as that of a file: like a level of a topic, but short, and not hidden.
    static func safeName(of name: String) -> String { safeName(ofLevel: MQTTTopics.level(name)) }

    static func safeName(ofLevel level: String) -> String {
      let visible = level.hasPrefix(".") ? "%2E" + level.dropFirst() : level
      guard visible.utf8.count > 180 else { return visible }
      let mixed = level.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
      return "\(visible.prefix(180))-\(String(mixed, radix: 16))"
    }

    /// The gaps, with their epochs.
    var gaps: [(epoch: String, numbers: Range<UInt64>)] {
      epochs.sorted { $0.key < $1.key }.flatMap { epoch, ranges in
        ranges.gaps(before: lastNumbers[epoch] ?? 0).map { (epoch, $0) }
      }
    }

    /// A board has ended. Of an epoch of which nothing has come, nobody here has waited for anything.
    func ended(_ epoch: String, before number: UInt64) {
      guard epochs[epoch] != nil else { return }
      lastNumbers[epoch] = max(lastNumbers[epoch] ?? 0, number)
    }

    // MARK: The start

    private func recover(_ cut: (String, Int64) -> Void) throws(SluiceError) {
      let path = "\(folder)/\(Self.numbersName)"
      var bytes: [UInt8]
      do throws(SystemErrno) {
        guard try files.status(at: path).size < Self.mostNumbers else { throw SystemErrno(EFBIG) }
        bytes = try files.contents(of: path, limit: Int(Self.mostNumbers))
      } catch {
        guard error.code == ENOENT else { throw SluiceError("read", path, errno: error.code) }
        return
      }
      // The last line of a run that was killed may be torn.
      bytes.removeLast(bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0))
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)),
          line.ends.allSatisfy({ !$0.key.contains("/") && $0.key.hasSuffix(".csv") && $0.value >= 0 })
        else {
          throw SluiceError(
            .malformed, "use", path, because: "a line of it has not the form of such a file",
            remedy: "give another folder, or remove it: then readings that come again are there twice")
        }
        for (epoch, pairs) in line.numbers {
          for pair in pairs where pair.count == 2 {
            let (end, overflows) = pair[0].addingReportingOverflow(pair[1])
            // No board has a larger number.
            guard !overflows, end <= SegmentLog.mostReadings else { continue }
            _ = epochs[epoch, default: NumberRanges()].insert(pair[0]..<end)
            messages += 1
            latest[epoch] = messages
          }
        }
        ends.merge(line.ends) { $1 }
        streams.merge(line.streams ?? [:]) { $1 }
      }
      if epochs.count > Self.mostEpochs { _ = forgetEpochs() }
      for (file, end) in ends { try recover(file, end, cut) }
      try compact(path)
    }

    private func recover(_ file: String, _ end: Int64, _ cut: (String, Int64) -> Void) throws(SluiceError) {
      let path = "\(folder)/\(file)"
      do throws(SystemErrno) {
        guard let status = try? files.status(at: path) else {
          // It was moved away.
          ends[file] = 0
          return
        }
        let descriptor = try files.open(path, O_RDWR | O_APPEND | O_NOFOLLOW)
        defer { try? files.close(descriptor) }
        if status.size > end {
          try files.truncate(descriptor, to: end)
          cut(path, status.size - end)
        }
        ends[file] = min(status.size, end)
      } catch {
        throw SluiceError("open", path, errno: error.code)
      }
    }

    /// One line for the files, and one for each epoch, instead of all that was written.
    private func compact(_ path: String) throws(SluiceError) {
      var text = Self.bytes(Line(numbers: [:], ends: ends, streams: streams))
      // In the order of their last messages.
      for (epoch, ranges) in epochs.sorted(by: { (latest[$0.key] ?? 0, $0.key) < (latest[$1.key] ?? 0, $1.key) }) {
        let pairs = ranges.ranges.map { [$0.lowerBound, UInt64($0.count)] }
        text += Self.bytes(Line(numbers: [epoch: pairs], ends: [:]))
      }
      do throws(SystemErrno) { try files.replace(path, with: text, syncs: true) } catch {
        throw SluiceError("write", path, errno: error.code)
      }
      compacted = Int64(text.count)
    }

    private static func bytes(_ line: Line) -> [UInt8] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      // Encoding texts and numbers cannot fail.
      return Array((try? encoder.encode(line)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    // MARK: Messages

    /// Writes the rows that are not there yet.
    /// - Returns: Why the message is refused; nil if all its rows are in the files now.
    /// - Throws: If the disk does not take them. The message is then missing, as if it had not come.
    func add(_ message: LandedMessage) throws(SluiceError) -> String? {
      var ranges = epochs[message.epoch] ?? NumberRanges()
      let new = ranges.insert(message.numbers)
      messages += 1
      if epochs[message.epoch] != nil { latest[message.epoch] = messages }
      guard !new.isEmpty else {
        duplicates += message.numbers.count
        return nil
      }
      guard ranges.ranges.count <= Self.mostRanges else {
        return "the numbers of its board have more than 100,000 gaps"
      }
      guard epochs[message.epoch] != nil || epochs.count < Self.mostEpochs || forgetEpochs() else {
        return "its board has 10,000 epochs with gaps"
      }
      guard let file = try file(for: message) else {
        return "its stream had 1,000 different headers, or its board has 4,096 files"
      }
      try append(message.rows(new), to: file)
      latest[message.epoch] = messages
      duplicates += message.numbers.count - new.reduce(0) { $0 + $1.count }
      epochs[message.epoch] = ranges
      newNumbers[message.epoch, default: []] += new
      rows += new.reduce(0) { $0 + $1.count }
      return nil
    }

    /// Forgets epochs without gaps, beginning with the one whose last message is the oldest. If their readings come again,
    /// they are written again.
    /// - Returns: Whether there is room for another epoch now.
    private func forgetEpochs() -> Bool {
      let whole = epochs.filter { $0.value.gaps(before: lastNumbers[$0.key] ?? 0).isEmpty && newNumbers[$0.key] == nil }
      // A few more than one, because to look at all of them takes a while.
      let surplus = epochs.count - Self.mostEpochs + Self.mostEpochs / 100
      for epoch in whole.keys.sorted(by: { (latest[$0] ?? 0, $0) < (latest[$1] ?? 0, $1) }).prefix(surplus) {
        (epochs[epoch], latest[epoch], lastNumbers[epoch]) = (nil, nil, nil)
      }
      return epochs.count < Self.mostEpochs
    }

    /// The file of a stream; another one if its columns have changed, or if another program has made a file of this name.
    /// - Returns: Nil if all 1,000 names are taken.
    private func file(for message: LandedMessage) throws(SluiceError) -> String? {
      let (stem, header) = (Self.safeName(of: message.stream), Array(message.header))
      for number in 1...Self.mostHeaders {
        let file = number == 1 ? "\(stem).csv" : "\(stem)-\(number).csv"
        if let stream = streams[file], stream != message.stream { continue }
        let there = try self.header(of: file)
        if there == header {
          streams[file] = message.stream
          return file
        }
        guard there == nil, ends[file] != nil || ends.count < Self.mostFiles else { continue }
        guard ends[file] != nil || (try? files.status(at: "\(folder)/\(file)")) == nil else { continue }
        (headers[file], streams[file]) = (header, message.stream)
        try append(header + [UInt8(ascii: "\n")], to: file)
        return file
      }
      return nil
    }

    /// Nil if the file is empty, or not there.
    private func header(of file: String) throws(SluiceError) -> [UInt8]? {
      if let header = headers[file] { return header }
      guard let end = ends[file], end > 0 else { return nil }
      let path = "\(folder)/\(file)"
      do throws(SystemErrno) {
        let descriptor = try files.open(path, O_RDONLY | O_NOFOLLOW)
        defer { try? files.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(min(end, 1 << 20)))
        let result = bytes.withUnsafeMutableBytes { buffer in
          Result { () throws(SystemErrno) in try files.read(descriptor, at: 0, into: buffer) }
        }
        let count = try result.get()
        let header = Array(bytes[..<count].prefix { $0 != UInt8(ascii: "\n") })
        headers[file] = header
        return header
      } catch {
        throw SluiceError("read", path, errno: error.code)
      }
    }

    private func append(_ text: [UInt8], to file: String) throws(SluiceError) {
      let path = "\(folder)/\(file)"
      do throws(SystemErrno) {
        let descriptor = try descriptor(of: file, path)
        let begin = ends[file] ?? 0
        let (written, error) = text.withUnsafeBytes { files.write(all: $0, to: descriptor) }
        if let error {
          // A part of a row must not stand before the next one.
          if written > 0 { try files.truncate(descriptor, to: begin) }
          throw error
        }
        ends[file] = begin + Int64(text.count)
        changed.insert(file)
      } catch {
        throw SluiceError("write", path, errno: error.code)
      }
    }

    private func descriptor(of file: String, _ path: String) throws(SystemErrno) -> Int32 {
      if let descriptor = open[file] { return descriptor }
      // A file that is not known is somebody else's. Ours are known before they are made.
      var flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
      if ends[file] == nil {
        flags |= O_EXCL
        ends[file] = 0
        try write(Line(numbers: [:], ends: [file: 0], streams: streams[file].map { [file: $0] }))
      }
      if open.count >= Self.mostOpen {
        for descriptor in open.values { try files.sync(descriptor) }
        for descriptor in open.values { try? files.close(descriptor) }
        open = [:]
      }
      let descriptor = try files.open(path, flags)
      open[file] = descriptor
      return descriptor
    }

    /// What has come is on the disk when this returns.
    func sync() throws(SluiceError) {
      guard !newNumbers.isEmpty || !changed.isEmpty else { return }
      var size: Int64 = 0
      var line = Line(numbers: [:], ends: ends.filter { changed.contains($0.key) })
      for (epoch, ranges) in newNumbers {
        var merged = NumberRanges()
        for range in ranges { _ = merged.insert(range) }
        line.numbers[epoch] = merged.ranges.map { [$0.lowerBound, UInt64($0.count)] }
      }
      do throws(SystemErrno) {
        for descriptor in open.values { try files.sync(descriptor) }
        size = try write(line)
      } catch {
        throw SluiceError("write", "\(folder)/\(Self.numbersName)", errno: error.code)
      }
      (newNumbers, changed) = ([:], [])
      if size > longNumbers {
        try compact("\(folder)/\(Self.numbersName)")
        longNumbers = max(Self.longNumbers, 2 * compacted)
      }
    }

    /// Appends a line to `numbers.jsonl`.
    /// - Returns: The bytes of the file.
    @discardableResult private func write(_ line: Line) throws(SystemErrno) -> Int64 {
      let bytes = Self.bytes(line)
      let descriptor = try files.open("\(folder)/\(Self.numbersName)", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
      defer { try? files.close(descriptor) }
      let before = try files.status(of: descriptor).size
      let (_, error) = bytes.withUnsafeBytes { files.write(all: $0, to: descriptor) }
      if let error {
        try? files.truncate(descriptor, to: before)
        throw error
      }
      try files.sync(descriptor)
      return before + Int64(bytes.count)
    }

    /// The number of its open files.
    var openCount: Int { open.count }

    func close() {
      for descriptor in open.values { try? files.close(descriptor) }
      open = [:]
    }
  }
#endif
