package import SluiceReadings
package import SluiceRecording
package import SluiceSystem

/// The files that a run will write. They are checked before any of them is made or changed.
package struct OutputFiles {
  /// The files of all outputs.
  package let files: [Described]
  /// For recordings in parts with `--append`, the newest parts with rows, or the files that the first parts follow.
  package let newestParts: [Described]
  /// Folders that were made for the files.
  private let madeFolders: [String]

  /// An output file with its settings.
  package struct Described: Sendable {
    package var file: OutputFile
    /// The number of its output.
    package var output = 0
    package var existing: ExistingFile
    /// Whether values are written without offset and scale.
    package var raw: Bool
    package var style = RowStyle()
    /// Whether the file already has rows, and new rows are appended.
    package var isAppended: Bool
    /// The number of the part, if the file is one.
    package var part: Int?
    /// All files of its recording in their order, up to this one.
    package var recording: [String] = []
    /// The later parts, which have no row. The runs that began them were cut off.
    package var empty: [String] = []
    /// The part before, or the file that the first part follows; nil if there is none.
    package var before: String? { recording.dropLast().last }
    package var disk = Disk()

    package var metadata: any MetadataStore { metadata(of: file.path) }

    package func metadata(of path: String) -> any MetadataStore { file.format.metadata(of: path, disk) }
  }

  /// - Parameters:
  ///   - streams: By output, its streams.
  ///   - inputs: The identities and the paths of the files that are read.
  ///   - disk: The file system of the outputs.
  ///   - first: The number of the first of the outputs.
  /// - Throws: If an output is an input, or the same file as another output; if it would overwrite an existing metadata
  ///   file without permission; or if it is a single file and there are parts with its name.
  package init(
    _ outputs: [RecordingOutput], _ streams: [[StreamDescription]], inputs: [FileIdentity: String],
    disk: Disk = Disk(), first: Int = 0
  ) throws(SluiceError) {
    var files: [Described] = []
    var newestParts: [Described] = []
    for (number, output) in outputs.enumerated() {
      for file in try output.files(for: streams[number]) {
        var described = Described(
          file: file, output: first + number, existing: output.existing, raw: output.raw, style: output.style,
          isAppended: output.existing == .append && Self.hasRows(file.path), disk: disk)
        let (earlier, series) = try Self.parts(output, first + number, file, inputs, disk)
        // Parts follow a file that exists already.
        described.recording = described.isAppended ? [file.path] : []
        if output.rotation == nil { files.append(described) }
        // Parts have their own names, and get their metadata when they begin.
        guard output.rotation != nil, output.existing == .append else { continue }
        described.recording += earlier.all.dropLast(earlier.empty.count).map(series.path)
        described.empty = earlier.empty.map(series.path)
        described.isAppended = !described.recording.isEmpty
        (described.file.path, described.part) = (described.recording.last ?? file.path, earlier.newest?.number)
        newestParts.append(described)
      }
    }
    self.files = files
    self.newestParts = newestParts
    try Self.check(files, inputs)
    for file in files {
      let path = file.file.path
      if let suffix = [MetadataFile.suffix, RunsFile.suffix, PartIndex.suffix].first(where: path.hasSuffix) {
        let recording = path.dropLast(suffix.count)
        guard FileIdentity(path: String(recording)) != nil else { continue }
        throw SluiceError(
          .usage, "write", path, because: "it is the metadata of \(recording)", remedy: "write to another file")
      }
      // If the recording itself exists, that is the error to report.
      guard file.existing == .refuse, path != "-", FileIdentity(path: path) == nil else { continue }
      for metadata in file.metadata.paths where FileIdentity(path: metadata) != nil {
        throw SluiceError(
          .alreadyExists, "write", metadata, because: "it is there already, though \(path) is not",
          remedy: "remove it, choose another name, or give --force to overwrite it")
      }
    }
    var made: [String] = []
    for folder in outputs.compactMap(\.folder) where FileIdentity(path: folder) == nil {
      guard mkdir(folder, 0o777) == 0 else {
        let code = errno
        for folder in made { rmdir(folder) }
        throw SluiceError(
          "make the folder", folder, errno: code, remedy: code == ENOENT ? "make its folder first" : nil)
      }
      made.append(folder)
    }
    madeFolders = made
  }

  /// The files that say how far the recording has come. If a recording has no row, its spill or the metadata of a part
  /// may say so.
  package var earlier: [Described] { files + newestParts }
  /// The files with rows, which the new rows follow.
  package var continued: [Described] { earlier.filter(\.isAppended) }

  /// The parts of an output.
  /// - Throws: If the run reads the parts, or if the output is a single file. A replay would read that file before the
  ///   parts.
  private static func parts(
    _ output: RecordingOutput, _ number: Int, _ file: OutputFile, _ inputs: [FileIdentity: String], _ disk: Disk
  ) throws(SluiceError) -> (earlier: EarlierParts, series: PartSeries) {
    let series = output.parts(of: file, number: number)
    guard type(of: output.format).hasParts, FileIdentity(path: file.path)?.isRegular ?? (file.path != "-"),
      let parts = try? series.parts(disk.files), let newest = parts.last
    else { return (EarlierParts(), series) }
    guard output.rotation != nil else {
      throw SluiceError(
        .alreadyExists, "write", file.path, because: "there are parts of it, such as \(series.path(of: newest))",
        remedy: "choose another name, or give --append to continue after them")
    }
    for part in parts {
      guard let identity = FileIdentity(path: series.path(of: part)), let input = inputs[identity] else { continue }
      throw .isRead(file.path, as: input)
    }
    guard output.existing == .append else { return (EarlierParts(), series) }
    return (try EarlierParts(parts, of: series, disk.files), series)
  }

  private static func hasRows(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func check(_ files: [Described], _ inputs: [FileIdentity: String]) throws(SluiceError) {
    // A file that does not exist yet is identified by its folder and its name.
    var owners: [ExactName: String] = [:]
    var outputs: [FileIdentity: String] = [:]
    for file in files {
      let path = file.file.path
      let companions = file.file.format.companions(of: path).map { ($0, "a part of \(path)") }
      let metadata = file.metadata.paths.map { ($0, "the metadata of \(path)") }
      let name = outputTitle(path)
      for (path, role) in [(path, name)] + companions + (path == "-" ? [] : metadata) {
        let identity = path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: path)
        if let identity, identity.keepsBytes {
          if let input = inputs[identity] { throw .isRead(outputTitle(path), as: input) }
          if let other = outputs.updateValue(role, forKey: identity) { throw isTaken(path, role, other) }
        } else if let other = owners.updateValue(role, forKey: ExactName(located(path))) {
          throw isTaken(path, role, other)
        }
      }
    }
  }

  private static func isTaken(_ path: String, _ role: String, _ other: String) -> SluiceError {
    let cause =
      role == other
      ? "it is given twice"
      : other.hasPrefix("/") || !other.contains(" of ")
        ? "it is the same file as \(other), which is to be written too"
        : "it is \(other)"
    return SluiceError(
      .usage, "write", outputTitle(path), because: cause,
      remedy: "give each output a file of its own")
  }

  /// The path with its folder resolved, if the folder exists.
  private static func located(_ path: String) -> String {
    guard path != "-", let resolved = realpath(folder(of: path), nil) else { return path }
    defer { free(resolved) }
    return "\(String(cString: resolved))/\(pathParts(path).name)"
  }

  /// Removes the folders that were made, if they are empty. Call it if the run could not begin, or if its files were
  /// removed.
  package func removeEmptyFolders() { for folder in madeFolders { rmdir(folder) } }
}
