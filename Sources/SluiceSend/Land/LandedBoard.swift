#if SLUICE_MQTT
  import SluiceLog
  import SluiceReadings
  import SluiceSystem

  /// What has come from one board: a CSV file for each stream, and the numbers of its readings.
  ///
  /// Rows are written and synced first, and then one line of `numbers.jsonl`, which says the numbers and the ends of the files.
  /// Rows behind these ends are cut off at the next start: nobody knows their numbers, so they are a gap that the board closes.
  final class LandedBoard {
    let name: String
    let folder: String
    private let files: any FileSystem
    private(set) var epochs: [String: LandedEpoch] = [:]
    /// The length of each file, as far as its rows are known.
    private var ends: [String: Int64] = [:]
    private var headers: [String: [UInt8]] = [:]
    /// The stream of each file. The second file of `imu`, and the first of `imu-2`, would both be `imu-2.csv`.
    private var streams: [String: String] = [:]
    /// By the beginning of the name and the stream, its files: a board may have 1,000 headers of 64 KB, and a message must not be
    /// compared with each of them.
    private var known: [[String]: StreamFiles] = [:]
    /// How many files were looked at to find those of messages.
    private(set) var looks = 0
    /// The bytes of `numbers.jsonl` after which it is written anew.
    private var longNumbers = LandedBoard.longNumbers
    private var open: [String: Int32] = [:]
    private var syncsNames = true
    /// What is not in `numbers.jsonl` yet.
    private var newNumbers: [String: [String: NumberRanges]] = [:]
    private var changed: Set<String> = []
    /// False if there was no epoch to forget since the last sync.
    private var mayForget = true
    private var knownGaps: [(epoch: String, numbers: Range<UInt64>)]?
    private var messages = 0
    private(set) var duplicates = 0
    private(set) var rows = 0
    /// The rows whose numbers had come from another run: two recordings number readings alike.
    private(set) var shared = 0
    /// A bound of the bytes of memory that it takes.
    private(set) var weight = LandedBoard.ownWeight

    static let numbersName = "numbers.jsonl"
    /// The name of the board, which its folder cannot always have.
    static let nameName = "board"
    /// A recording has a new run at each start.
    private static let mostRuns = 1_000
    /// The names that are tried for the files of a stream.
    private static let mostHeaders = 1_000
    private static let mostFiles = 4_096
    private static let (ownWeight, epochWeight, runWeight, rangeWeight, fileWeight) = (16_384, 512, 256, 200, 1_024)
    /// The bytes of `numbers.jsonl` after which it is written anew: what was forgotten comes back at the next start, so there must
    /// not be much of it. A longer one than the second is none of ours.
    fileprivate static let (longNumbers, mostNumbers): (Int64, Int64) = (1 << 20, 1 << 29)
    private static let mostOpen = 64

    /// The files of one stream.
    private struct StreamFiles {
      /// By header. One of an earlier version, of which no stream is known, may meanwhile be that of another stream.
      var names: [[UInt8]: String] = [:]
      /// The number of the first name that was not looked at.
      var next = 1
    }

    /// A line of `numbers.jsonl`.
    private struct Line: Codable {
      /// By epoch and run, the first number of each range, and their count.
      var runs: [String: [String: [[UInt64]]]]?
      /// The same without the run, in the files of 0.1.0.
      var numbers: [String: [[UInt64]]]?
      var ends: [String: Int64]
      /// By file, its stream; nil in the files of 0.1.0.
      var streams: [String: String]?
    }

    /// - Parameters:
    ///   - folder: The name of its folder.
    ///   - syncs: Whether its name is on the disk at once. Otherwise it is there after the next sync of the disk.
    ///   - cut: Called with a file, and the number of bytes that are cut off.
    init(
      _ name: String, folder: String, in parent: String, _ files: any FileSystem, syncs: Bool = true,
      cut: (String, Int64) -> Void
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
      let bytes = Array(name.utf8)
      guard (try? files.contents(of: path, limit: 1 << 16)) != bytes else { return }
      do throws(SystemErrno) { try files.replace(path, with: bytes, syncs: syncs) } catch {
        throw SluiceError("write", path, errno: error.code)
      }
    }

    /// The bytes of a name after which it is shortened.
    static let longestName = 180

    /// A name as that of a file: like a level of a topic, but short, and not hidden.
    static func safeName(of name: String) -> String { safeName(ofLevel: MQTTTopics.level(name)) }

    static func safeName(ofLevel level: String, longest: Int = longestName) -> String {
      let visible = level.hasPrefix(".") ? "%2E" + level.dropFirst() : level
      guard visible.utf8.count > longest else { return visible }
      let mixed = level.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
      return "\(visible.prefix(longest))-\(String(mixed, radix: 16))"
    }

    /// The gaps, with their epochs.
    var gaps: [(epoch: String, numbers: Range<UInt64>)] {
      if let knownGaps { return knownGaps }
      let gaps = epochs.sorted { $0.key < $1.key }.flatMap { epoch, numbers in numbers.gaps.map { (epoch, $0) } }
      knownGaps = gaps
      return gaps
    }

    /// Whether one of some numbers is missing.
    func lacks(_ numbers: Range<UInt64>, of epoch: String) -> Bool {
      gaps.contains { $0.epoch == epoch && $0.numbers.overlaps(numbers) }
    }

    /// A board has ended. Of an epoch of which nothing has come, nobody here has waited for anything.
    func ended(_ epoch: String, before number: UInt64) {
      guard let end = epochs[epoch]?.end, end < number else { return }
      epochs[epoch]?.end = number
      knownGaps = nil
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
      let torn = bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
      bytes.removeLast(torn)
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let line: Line = try? JSON(parsing: line).decode(),
          line.ends.allSatisfy({ !$0.key.contains("/") && $0.key.hasSuffix(".csv") && $0.value >= 0 })
        else {
          throw SluiceError(
            .malformed, "use", path, because: "a line of it has not the form of such a file",
            remedy: "give another folder, or remove it: then readings that come again are there twice")
        }
        for (epoch, runs) in line.runs ?? (line.numbers ?? [:]).mapValues({ ["": $0] }) {
          for (run, pairs) in runs {
            for pair in pairs where pair.count == 2 {
              let (end, overflows) = pair[0].addingReportingOverflow(pair[1])
              // No board has a larger number.
              guard !overflows, end <= SegmentLog.mostReadings else { continue }
              _ = insert(pair[0]..<end, epoch, run)
            }
          }
        }
        ends.merge(line.ends) { $1 }
        streams.merge(line.streams ?? [:]) { $1 }
      }
      let known = ends
      for (file, end) in known {
        weight += Self.weight(ofFile: file, stream: streams[file] ?? "")
        try recover(file, end, cut)
      }
      if torn > 0 || ends != known || bytes.count > Self.longNumbers { try compact(path) }
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

    /// One line for the files, and one for each run, instead of all that was written.
    private func compact(_ path: String) throws(SluiceError) {
      var text = Self.bytes(Line(ends: ends, streams: streams))
      // In the order of their last messages.
      for (name, epoch) in epochs.sorted(by: { ($0.value.latest, $0.key) < ($1.value.latest, $1.key) }) {
        for (run, numbers) in epoch.numbers {
          text += Self.bytes(Line(runs: [name: [run: Self.pairs(numbers)]], ends: [:]))
        }
      }
      do throws(SystemErrno) { try files.replace(path, with: text, syncs: true) } catch {
        throw SluiceError("write", path, errno: error.code)
      }
      longNumbers = max(Self.longNumbers, min(2 * Int64(text.count), Self.mostNumbers / 2))
    }

    private static func pairs(_ numbers: NumberRanges) -> [[UInt64]] {
      numbers.ranges.map { [$0.lowerBound, UInt64($0.count)] }
    }

    private static func bytes(_ line: Line) -> [UInt8] {
      // Encoding texts and numbers cannot fail.
      let json = (try? JSON(encoding: line)) ?? .null
      return Array((json.sorted.text + "\n").utf8)
    }

    // MARK: Messages

    /// Writes the rows that are not there yet.
    /// - Parameters:
    ///   - hasRoom: Whether it may take more memory.
    ///   - syncsNames: Whether the name of a new file is on the disk before the file is made. Otherwise a power cut before the
    ///     next sync can leave a file whose rows nobody knows.
    /// - Returns: Why the message is refused; nil if all its rows are in the files now.
    /// - Throws: If the disk does not take them. The message is then missing, as if it had not come.
    func add(
      _ message: LandedMessage, hasRoom: Bool = true, syncsNames: Bool = true
    ) throws(SluiceError) -> String? {
      self.syncsNames = syncsNames
      let (epoch, run, numbers) = (message.epoch, message.run, message.numbers)
      guard hasRoom || epochs[epoch]?.grows(with: numbers, of: run) == false || mayForget && forgetEpochs(but: epoch)
      else {
        return Self.noRoom
      }
      let new = epochs[epoch]?.missing(numbers, of: run) ?? [numbers]
      let count = new.reduce(0) { $0 + $1.count }
      if count > 0 {
        guard let file = try file(for: message, hasRoom: hasRoom) else {
          guard hasRoom else { return Self.noRoom }
          return ends.count < Self.mostFiles ? "its stream had 1,000 different headers" : "its board has 4,096 files"
        }
        try append(message.rows(new), to: file)
        for range in new { newNumbers[epoch, default: [:]][run, default: NumberRanges()].insert(range) }
      }
      shared += insert(numbers, epoch, run)
      rows += count
      duplicates += numbers.count - count
      return nil
    }

    private static let noRoom = "the numbers and files of its board, or of its neighbours, take too much memory"

    /// - Returns: How many of the numbers had come from another run only.
    private func insert(_ numbers: Range<UInt64>, _ name: String, _ run: String) -> Int {
      messages += 1
      knownGaps = nil
      weight -= Self.weight(of: epochs[name])
      defer { weight += Self.weight(of: epochs[name]) }
      if let count = epochs[name]?.runCount, count > Self.mostRuns {
        epochs[name]?.forgetRuns(but: Self.mostRuns * 9 / 10)
      }
      return epochs[name, default: LandedEpoch()].insert(numbers, of: run, message: messages)
    }

    private static func weight(of epoch: LandedEpoch?) -> Int {
      guard let epoch else { return 0 }
      return epochWeight + epoch.runCount * runWeight + epoch.rangeCount * rangeWeight
    }

    /// Its names are in several dictionaries.
    private static func weight(ofFile file: String, stream: String) -> Int {
      fileWeight + 4 * file.utf8.count + 2 * stream.utf8.count
    }

    /// Forgets epochs without gaps, the ones without a message for the longest time. If their readings come again, they are
    /// written again.
    /// - Parameter current: The one to which a message belongs.
    /// - Returns: Whether there was one.
    private func forgetEpochs(but current: String) -> Bool {
      let whole = epochs.filter { $0.key != current && newNumbers[$0.key] == nil && $0.value.gaps.isEmpty }
      // Some more than one, because to look at all of them takes a while.
      let oldest = whole.sorted { ($0.value.latest, $0.key) < ($1.value.latest, $1.key) }.prefix(1 + epochs.count / 100)
      for (name, epoch) in oldest {
        weight -= Self.weight(of: epoch)
        epochs[name] = nil
      }
      mayForget = !oldest.isEmpty
      return mayForget
    }

    /// The file of a stream; another one if its columns have changed, or if another program has made a file of this name.
    /// - Returns: Nil if all names are taken, or if there is no room for another file.
    private func file(for message: LandedMessage, hasRoom: Bool) throws(SluiceError) -> String? {
      let (stem, header) = (Self.safeName(of: message.stream), Array(message.header))
      let key = [stem, message.stream]
      // Taken out, so that it is not copied. A stream without a file is not kept, because its board can make up any number of them.
      let before = known.removeValue(forKey: key)
      var (stream, isKept) = (before ?? StreamFiles(), before != nil)
      defer { if isKept { known[key] = stream } }
      if let file = stream.names[header] {
        if streams[file] ?? message.stream == message.stream {
          streams[file] = message.stream
          return file
        }
        stream.names[header] = nil
      }
      while stream.next <= Self.mostHeaders {
        looks += 1
        let file = stream.next == 1 ? "\(stem).csv" : "\(stem)-\(stream.next).csv"
        if let other = streams[file], other != message.stream {
          stream.next += 1
          continue
        }
        if let there = try self.header(of: file) {
          stream.next += 1
          if stream.names[there] == nil { stream.names[there] = file }
          guard there == header else { continue }
          streams[file] = message.stream
          isKept = true
          return file
        }
        if ends[file] == nil {
          guard hasRoom, ends.count < Self.mostFiles else { return nil }
          guard (try? files.status(at: "\(folder)/\(file)")) == nil else {
            stream.next += 1
            continue
          }
        }
        weight += Self.weight(ofFile: file, stream: message.stream) + 2 * header.count
        (headers[file], streams[file]) = (header, message.stream)
        try append(header + [UInt8(ascii: "\n")], to: file)
        stream.next += 1
        stream.names[header] = file
        isKept = true
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
        weight += 2 * header.count
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
        try write(Line(ends: [file: 0], streams: streams[file].map { [file: $0] }), syncs: syncsNames)
      }
      if open.count >= Self.mostOpen { close() }
      let descriptor = try files.open(path, flags)
      open[file] = descriptor
      return descriptor
    }

    /// A file may have been closed since it was written.
    private func syncFiles() throws(SystemErrno) {
      for file in changed {
        if let descriptor = open[file] {
          try files.sync(descriptor)
          continue
        }
        do throws(SystemErrno) {
          let descriptor = try files.open("\(folder)/\(file)", O_WRONLY | O_NOFOLLOW)
          defer { try? files.close(descriptor) }
          try files.sync(descriptor)
        } catch  where error.code == ENOENT {
          // It was moved away.
        }
      }
    }

    /// The number of files that a sync puts on the disk.
    var changedCount: Int { newNumbers.isEmpty && changed.isEmpty ? 0 : changed.count + 1 }

    /// What has come is on the disk when this returns.
    func sync() throws(SluiceError) {
      do throws(SystemErrno) { try syncFiles() } catch {
        throw SluiceError("write", folder, errno: error.code)
      }
      try noteNumbers(syncs: true)
    }

    /// Notes the numbers of the rows, which are on the disk.
    func noteNumbers(syncs: Bool) throws(SluiceError) {
      mayForget = true
      guard changedCount > 0 else { return }
      var size: Int64 = 0
      var line = Line(ends: ends.filter { changed.contains($0.key) })
      line.runs = newNumbers.mapValues { $0.mapValues(Self.pairs) }
      do throws(SystemErrno) { size = try write(line, syncs: syncs) } catch {
        throw SluiceError("write", "\(folder)/\(Self.numbersName)", errno: error.code)
      }
      (newNumbers, changed) = ([:], [])
      if size > longNumbers {
        try compact("\(folder)/\(Self.numbersName)")
      }
    }

    /// Appends a line to `numbers.jsonl`.
    /// - Returns: The bytes of the file.
    @discardableResult private func write(_ line: Line, syncs: Bool) throws(SystemErrno) -> Int64 {
      let bytes = Self.bytes(line)
      let descriptor = try files.open("\(folder)/\(Self.numbersName)", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
      defer { try? files.close(descriptor) }
      let before = try files.status(of: descriptor).size
      let (_, error) = bytes.withUnsafeBytes { files.write(all: $0, to: descriptor) }
      if let error {
        try? files.truncate(descriptor, to: before)
        throw error
      }
      if syncs { try files.sync(descriptor) }
      return before + Int64(bytes.count)
    }

    /// The number of its open files.
    var openCount: Int { open.count }
    /// The number of its files.
    var fileCount: Int { ends.count }

    func close() {
      for descriptor in open.values { try? files.close(descriptor) }
      open = [:]
    }
  }
#endif
