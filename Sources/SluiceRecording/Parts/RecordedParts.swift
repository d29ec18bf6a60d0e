package import SluiceReadings

/// The files of one recording in one folder, in the order in which they are read: the file that has the name of the
/// recording, and its parts by their numbers.
package struct RecordedParts {
  /// Of a part, and the name that its file has.
  private struct Part {
    let name: PartName
    let file: String
  }

  /// The folder as the user gave it, with a slash at its end, or nothing.
  private let folder: String
  /// What the recording is called: `walk.csv`.
  private let recording: String
  /// There is a file of that name.
  private var hasFile = false
  private var parts: [Part] = []

  /// `walk/walk.csv`, whether there is such a file or not.
  package var path: String { folder + recording }
  /// Parts or not, it is one file, and no recording that was rotated.
  package var isFile: Bool { parts.isEmpty }
  var partCount: Int { parts.count }
  var firstPart: String? { parts.first?.file }
  package var oldest: Int? { parts.first?.name.number }
  package var newest: Int? { parts.last?.name.number }
  package var paths: [String] { (hasFile ? [path] : []) + parts.map { folder + $0.file } }

  /// What a folder has, in the order of the recordings' names.
  /// - Parameters:
  ///   - names: The files of the folder that are traces by their endings.
  ///   - compressions: The compressions that a part may have got later.
  package static func all(
    of names: [String], in folder: String, _ compressions: [any Compression.Type]
  ) -> [RecordedParts] {
    var all: [String: RecordedParts] = [:]
    for name in names {
      let part = partName(name, compressions).flatMap { endings.contains($0.ending) ? $0 : nil }
      let recording = part?.recording ?? name
      var series = all[recording] ?? RecordedParts(folder: folder, recording: recording)
      if let part { series.parts.append(Part(name: part, file: name)) } else { series.hasFile = true }
      all[recording] = series
    }
    return all.values.map(\.sorted).sorted { $0.recording < $1.recording }
  }

  /// The recording that a path names. A folder that cannot be read has no parts of it.
  /// - Parameter compressions: The compressions that a part may have got later.
  package init?(of path: String, _ compressions: [any Compression.Type]) {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    // Most names are no trace's, and the folder may be large.
    guard let ending = name.split(separator: ".").last, Self.endings.contains(String(ending)) else { return nil }
    var series = RecordedParts(folder: String(path.dropLast(name.count)), recording: String(name))
    var names: [String] = []
    do throws(SystemErrno) {
      names = try ByteSource.file(series.folder.isEmpty ? "." : series.folder).names()
    } catch {
      return nil
    }
    for name in names {
      if let part = Self.partName(name, compressions), part.recording == series.recording {
        series.parts.append(Part(name: part, file: name))
      }
      if name == series.recording { series.hasFile = true }
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

  /// A database is one file.
  private static let endings = Set(TraceKinds.all.flatMap { $0.extensions })

  // MARK: Numbers

  /// Those between the first part and the last that no part has. What was before the first was removed, as it should be.
  var missing: [ClosedRange<Int>] {
    zip(parts, parts.dropFirst()).compactMap { before, after in
      let (from, to) = (before.name.number, after.name.number)
      return to - from > 1 ? (from + 1)...(to - 1) : nil
    }
  }

  /// - Throws: If two parts have one number, so that nobody knows which of them comes first.
  package func check() throws(SluiceError) {
    for (a, b) in zip(parts, parts.dropFirst()) where a.name.number == b.name.number {
      throw SluiceError(
        .malformed, "read", folder + b.file, because: "\(a.file) has the same number",
        remedy: "move away the one that does not belong to the recording")
    }
  }

  /// What is to be said of ``missing``; nil if none is.
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
