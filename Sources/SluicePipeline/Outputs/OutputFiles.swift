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

    package var metadata: any MetadataStore { file.format.metadata(of: file.path) }
  }

  /// - Parameter inputs: Files that are being read, and their paths.
  /// - Throws: If an output is an input, or the same file as another output; if a metadata file would be overwritten that
  ///   may not be.
  package init(
    _ outputs: [RecordingOutput], _ streams: [StreamDescription], inputs: [FileIdentity: String]
  ) throws(SluiceError) {
    var files: [Described] = []
    for (number, output) in outputs.enumerated() {
      for file in try output.files(for: streams) {
        files.append(
          Described(
            file: file, output: number, existing: output.existing, raw: output.raw,
            isAppended: output.existing == .append && Self.hasRows(file.path)))
      }
    }
    self.files = files
    try Self.check(files, inputs)
    for file in files {
      let path = file.file.path
      if path.hasSuffix(MetadataFile.suffix) {
        let recording = path.dropLast(MetadataFile.suffix.count)
        guard FileIdentity(path: String(recording)) != nil else { continue }
        throw SluiceError(
          .usage, "write", path, because: "it is the metadata of \(recording)", remedy: "write to another file")
      }
      guard file.existing == .refuse, path != "-", let metadata = file.metadata.path else { continue }
      // If there is a recording, that is the error to report.
      guard FileIdentity(path: metadata) != nil, FileIdentity(path: path) == nil else { continue }
      throw SluiceError(
        .alreadyExists, "write", metadata, because: "it is there already, though \(path) is not",
        remedy: "remove it, choose another name, or give --force to overwrite it")
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

  private static func hasRows(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func check(_ files: [Described], _ inputs: [FileIdentity: String]) throws(SluiceError) {
    var outputs: [FileIdentity: String] = [:]
    // A file that is not there yet is known by its path alone.
    var paths: Set<String> = []
    for path in files.map(\.file.path) where !paths.insert(path).inserted {
      throw SluiceError(
        .usage, "write", path == "-" ? "standard output" : path, because: "it is given twice",
        remedy: "give each output a file of its own")
    }
    for path in files.flatMap({ file in
      file.file.path == "-" ? ["-"] : [file.file.path] + [file.metadata.path].compactMap { $0 }
    }) {
      let identity = path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: path)
      guard let identity, identity.keepsBytes else { continue }
      if let input = inputs[identity] { throw .isRead(path == "-" ? "standard output" : path, as: input) }
      if let other = outputs.updateValue(path, forKey: identity) {
        throw SluiceError(
          .usage, "write", path, because: "it is the same file as \(other), which is to be written too",
          remedy: "remove one of them, or write to another folder")
      }
    }
  }

  /// For a run that could not begin, or whose files were removed.
  package func removeEmptyFolders() { for folder in madeFolders { rmdir(folder) } }
}
