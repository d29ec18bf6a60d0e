package import SluiceReadings
import SluiceSystem

/// The files of one recording in a folder, in the order of reading: the file with the name of the recording, and then
/// its parts by number.
package struct RecordedParts {
  /// A part, and the name of its file.
  private struct Part {
    let name: PartName
    let file: String
  }

  /// The folder as the user gave it, with a slash at its end; empty for the current folder.
  private let folder: String
  /// The name of the recording: `walk.csv`.
  private let recording: String
  /// Whether there is a file with that name.
  private var hasFile = false
  private var parts: [Part] = []

  /// The path of the recording: `walk/walk.csv`, even if no such file exists.
  package var path: String { folder + recording }
  /// Whether it is a single file without parts.
  package var isFile: Bool { parts.isEmpty }
  var partCount: Int { parts.count }
  var firstPart: String? { parts.first?.file }
  package var oldest: Int? { parts.first?.name.number }
  package var newest: Int? { parts.last?.name.number }
  package var paths: [String] { (hasFile ? [path] : []) + parts.map { folder + $0.file } }

  /// All recordings in a folder, in the order of their names.
  /// - Parameters:
  ///   - names: The names of files with the ending of a trace.
  ///   - compressions: The compressions that parts may have received later.
  package static func all(
    of names: [String], in folder: String, _ compressions: [any Compression.Type]
  ) -> [RecordedParts] {
    var all: [ExactName: RecordedParts] = [:]
    for name in names {
      let part = partName(name, compressions).flatMap { isEnding($0.ending) ? $0 : nil }
      let recording = part?.recording ?? name
      // Changed in its place: a copy of it for each of thousands of parts takes seconds.
      all[ExactName(recording), default: RecordedParts(folder: folder, recording: recording)].add(part, name)
    }
    return all.values.map(\.sorted).sorted { $0.recording.utf8.lexicographicallyPrecedes($1.recording.utf8) }
  }

  private mutating func add(_ part: PartName?, _ file: String) {
    if let part { parts.append(Part(name: part, file: file)) } else { hasFile = true }
  }

  /// The recording of a path. If the folder cannot be read, there are no parts.
  /// - Parameter compressions: The compressions that parts may have received later.
  package init?(of path: String, _ compressions: [any Compression.Type]) {
    let (folder, name) = pathParts(path)
    var series = RecordedParts(folder: String(folder), recording: String(name))
    var names: [String] = []
    do throws(SystemErrno) {
      names = try ByteSource.file(series.folder.isEmpty ? "." : series.folder).names()
    } catch {
      return nil
    }
    for name in names {
      if let part = Self.partName(name, compressions), part.recording.isExactly(series.recording) {
        series.add(part, name)
      }
      if name.isExactly(series.recording) { series.hasFile = true }
    }
    if series.parts.isEmpty { return nil }
    self = series.sorted
  }

  private init(folder: String, recording: String) {
    self.folder = folder
    self.recording = recording
  }

  private var sorted: RecordedParts {
    var series = self
    series.parts.sort { a, b in a.name.number == b.name.number ? a.file < b.file : a.name.number < b.name.number }
    return series
  }

  private static func partName(_ name: String, _ compressions: [any Compression.Type]) -> PartName? {
    let ending = compressions.map { ".\($0.ending)" }.first { name.hasSuffix($0) }
    return PartName(name.dropLast(ending?.count ?? 0))
  }

  /// Whether traces in parts may have this ending. A database is always one file.
  private static func isEnding(_ ending: String) -> Bool {
    endingsOfOthers.contains(ending) || TraceKinds.all.contains { $0.extensions.contains(ending) }
  }

  /// The endings of formats of other modules whose recordings have parts.
  private static let endingsOfOthers = ["mcap"]

  // MARK: Numbers

  /// The missing numbers between the first and the last part. Parts before the first were removed on purpose.
  var missing: [ClosedRange<Int>] {
    zip(parts, parts.dropFirst()).compactMap { before, after in
      let (from, to) = (before.name.number, after.name.number)
      return to - from > 1 ? (from + 1)...(to - 1) : nil
    }
  }

  /// - Throws: If two parts have the same number, so that their order is unknown.
  package func check() throws(SluiceError) {
    for (a, b) in zip(parts, parts.dropFirst()) where a.name.number == b.name.number {
      throw SluiceError(
        .malformed, "read", folder + b.file, because: "\(a.file) has the same number",
        remedy: "move away the one that does not belong to the recording")
    }
  }

  /// The sentence about ``missing``; nil if nothing is missing.
  package var missingText: String? {
    let missing = missing
    guard !missing.isEmpty else { return nil }
    var words = missing.prefix(8).map { range in
      switch range.count {
      case 1: "\(range.lowerBound)"
      case 2: "\(range.lowerBound), \(range.upperBound)"
      default: "\(range.lowerBound) to \(range.upperBound)"
      }
    }
    if missing.count > 8 { words.append("and \(missing.dropFirst(8).reduce(0) { $0 + $1.count }) more") }
    let isOne = missing.count == 1 && missing[0].count == 1
    return "\(path): \(isOne ? "part" : "parts") \(words.joined(separator: ", ")) \(isOne ? "is" : "are") missing, "
      + "and nobody knows what \(isOne ? "it" : "they") had"
  }
}
