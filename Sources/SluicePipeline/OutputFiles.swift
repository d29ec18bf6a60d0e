import SluiceReadings
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The files that a run is about to write, looked at before one of them is made or changed.
package struct OutputFiles {
  package let tables: [CSVTable]
  /// The paths of those that have rows already, which are appended to.
  package let appended: Set<String>
  /// A folder that was made for them.
  private let madeFolder: String?

  /// - Parameter inputs: Files that are being read, and their paths.
  /// - Throws: If an output is an input, or the same file as another output; if a metadata file would be overwritten that
  ///   may not be.
  package init(
    _ output: Output, _ streams: [StreamDescription], inputs: [FileIdentity: String]
  ) throws(SluiceError) {
    tables = try output.destination.tables(for: streams)
    appended = Set(tables.map(\.path).filter { output.existing == .append && Self.hasRows($0) })
    try Self.check(tables, inputs)
    for table in tables where table.path.hasSuffix(MetadataFile.suffix) {
      let recording = table.path.dropLast(MetadataFile.suffix.count)
      guard FileIdentity(path: String(recording)) != nil else { continue }
      throw SluiceError(
        .usage, "write", table.path, because: "it is the metadata of \(recording)", remedy: "write to another file")
    }
    for table in tables where output.existing == .refuse && table.path != "-" {
      let metadata = MetadataFile(beside: table.path)
      // If there is a CSV file, that is the error to report.
      guard metadata.exists, FileIdentity(path: table.path) == nil else { continue }
      throw SluiceError(
        .alreadyExists, "write", metadata.path, because: "it is there already, though \(table.path) is not",
        remedy: "remove it, choose another name, or give --force to overwrite it")
    }
    guard case .directory(let folder, _) = output.destination, FileIdentity(path: folder) == nil else {
      madeFolder = nil
      return
    }
    guard mkdir(folder, 0o777) == 0 else {
      let code = errno
      throw SluiceError("make the folder", folder, errno: code, remedy: code == ENOENT ? "make its folder first" : nil)
    }
    madeFolder = folder
  }

  private static func hasRows(_ path: String) -> Bool {
    var status = stat()
    return path != "-" && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func check(_ tables: [CSVTable], _ inputs: [FileIdentity: String]) throws(SluiceError) {
    var outputs: [FileIdentity: String] = [:]
    for path in tables.flatMap({ $0.path == "-" ? ["-"] : [$0.path, MetadataFile(beside: $0.path).path] }) {
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
  package func removeFolderIfEmpty() { if let madeFolder { rmdir(madeFolder) } }
}
