package import SluiceReadings
import SluiceSystem

extension RunsFile {
  /// The contents for a reader.
  package struct Contents {
    /// The runs, the oldest first; nil for a line that cannot be read.
    package var runs: [TraceMetadata?] = []
    package var input: TraceInput?
    /// Sentences about lines that cannot be read.
    package var faults: [String] = []
    /// Whether the last line has no end.
    package var isTorn = false
  }

  /// - Parameter newest: The document of the newest run. If that run died, the file may have it too.
  package func contents(besides newest: TraceMetadata) throws(SluiceError) -> Contents {
    var contents = Contents()
    let source: ByteSource
    do throws(SystemErrno) { source = try .regularFile(path) } catch {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.code) { return contents }
      throw SluiceError(
        "read", path, errno: error.code, remedy: "repair it, or move it away to read the trace without it")
    }
    contents.input = source.input(path)
    let lines = TraceLines(TraceFile(source, path: path))
    lines.leavesOutTornLine = true
    lines.warn = { _ in contents.isTorn = true }
    while let line = try lines.next() {
      do throws(SluiceError) {
        contents.runs.append(try TraceMetadata(Array(line), path: path))
      } catch {
        contents.runs.append(nil)
        contents.faults.append("\(path): line \(lines.line): \(error.cause)")
      }
    }
    if let began = newest.began, contents.runs.last.map({ $0?.began == began }) ?? false { contents.runs.removeLast() }
    return contents
  }
}
