import SluiceReadings
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The files that a run is about to write, looked at before one of them is made or changed.
package struct OutputFiles {
  /// Those of all outputs.
  package let files: [Described]
  /// Folders that were made for them.
  private let madeFolders: [String]

  /// A file, and what its metadata has to say.
  package struct Described: Sendable {
    package var file: OutputFile
    /// The number of its output.
    package var output = 0
    package var existing: ExistingFile
    /// Values are written without offset and scale.
    package var raw: Bool
    /// It has rows already, which are appended to.
    package var isAppended: Bool
    /// The number of the part, if it is one.
    package var part: Int?
    package var disk = Disk()

    package var metadata: any MetadataStore { file.format.metadata(of: file.path, disk) }
  }

  /// - Parameters:
  ///   - inputs: Files that are being read, and their paths.
  ///   - disk: Where files are kept.
  /// - Throws: If an output is an input, or the same file as another output; or if it would overwrite a metadata file
  ///   that may not be overwritten.
  package init(
    _ outputs: [RecordingOutput], _ streams: [StreamDescription], inputs: [FileIdentity: String], disk: Disk = Disk()
  ) throws(SluiceError) {
    var files: [Described] = []
    for (number, output) in outputs.enumerated() {
      // Parts have names of their own, and metadata when they begin.
      for file in try output.files(for: streams) where output.rotation == nil {
        files.append(
          Described(
            file: file, output: number, existing: output.existing, raw: output.raw,
            isAppended: output.existing == .append && Self.hasRows(file.path), disk: disk))
      }
    }
    self.files = files
    try Self.check(files, inputs)
    for file in files {
      let path = file.file.path
      if let suffix = [MetadataFile.suffix, RunsFile.suffix].first(where: path.hasSuffix) {
        let recording = path.dropLast(suffix.count)
        guard FileIdentity(path: String(recording)) != nil else { continue }
        throw SluiceError(
          .usage, "write", path, because: "it is the metadata of \(recording)", remedy: "write to another file")
      }
      // If there is a recording, that is the error to report.
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

  /// Of recordings in parts that get further parts, the newest part that there is: its streams are to be the same.
  static func newestParts(
    of outputs: [RecordingOutput], _ streams: [StreamDescription], _ disk: Disk
  ) throws(SluiceError) -> [Described] {
    var newest: [Described] = []
    for (number, output) in outputs.enumerated() where output.rotation != nil && output.existing == .append {
      for var file in try output.files(for: streams) {
        guard let part = (try? PartSeries.parts(of: file.path, disk.files))?.last else { continue }
        file.path = part.path
        newest.append(
          Described(
            file: file, output: number, existing: .append, raw: output.raw, isAppended: true, part: part.name.number,
            disk: disk))
      }
    }
    return newest
  }

  private static func hasRows(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func check(_ files: [Described], _ inputs: [FileIdentity: String]) throws(SluiceError) {
    // A file that is not there yet is known by its folder and its name.
    var owners: [String: String] = [:]
    var outputs: [FileIdentity: String] = [:]
    for file in files {
      let path = file.file.path
      let companions = file.file.format.companions(of: path).map { ($0, "a part of \(path)") }
      let metadata = file.metadata.paths.map { ($0, "the metadata of \(path)") }
      let name = path == "-" ? "standard output" : path
      for (path, role) in [(path, name)] + companions + (path == "-" ? [] : metadata) {
        let identity = path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: path)
        if let identity, identity.keepsBytes {
          if let input = inputs[identity] { throw .isRead(path == "-" ? "standard output" : path, as: input) }
          if let other = outputs.updateValue(role, forKey: identity) { throw isTaken(path, role, other) }
        } else if let other = owners.updateValue(role, forKey: located(path)) {
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
      .usage, "write", path == "-" ? "standard output" : path, because: cause,
      remedy: "give each output a file of its own")
  }

  /// The path with its folder resolved, if there is one.
  private static func located(_ path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard path != "-", let resolved = realpath(folder, nil) else { return path }
    defer { free(resolved) }
    return "\(String(cString: resolved))/\(slash.map { path[path.index(after: $0)...] } ?? path[...])"
  }

  /// For a run that could not begin, or whose files were removed.
  package func removeEmptyFolders() { for folder in madeFolders { rmdir(folder) } }
}
