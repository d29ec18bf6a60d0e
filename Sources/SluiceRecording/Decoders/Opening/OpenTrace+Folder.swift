import SluiceReadings
import SluiceSystem

/// The endings of traces: `.csv`, `.csv.gz`.
package func fileEndings(_ kinds: [any TraceKind.Type], _ compressions: [any Compression.Type]) -> [String] {
  let endings = kinds.flatMap { $0.extensions.map { ".\($0)" } }
  return endings + compressions.flatMap { type in endings.map { "\($0).\(type.ending)" } }
}

extension OpenTrace {
  /// Opens all traces of a folder, with their metadata, in the order of their names. The parts of a recording are one
  /// trace.
  init(folder: ByteSource, path: String, _ options: Options) throws(SluiceError) {
    var names: [String] = []
    do throws(SystemErrno) {
      names = try folder.names()
    } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    // Some systems have a hidden file with the same ending beside each file.
    let endings = fileEndings(options.kinds, options.compressions)
    names = names.filter { name in
      !name.hasPrefix("._") && !isBesideRecording(name) && endings.contains { name.hasSuffix($0) }
    }
    var traces: [(path: String, trace: OpenTrace)] = []
    for series in RecordedParts.all(of: names, in: path.hasSuffix("/") ? path : path + "/", options.compressions) {
      if !series.isFile {
        traces.append((series.paths[0], try OpenTrace(series, options)))
      } else if let source = try Self.source(series.path) {
        let file = TraceFile(source, path: series.path)
        if try Self.isUnknown(file, options) {
          options.warn("\(series.path): it is empty and is left out")
        } else {
          traces.append((series.path, try OpenTrace.open(file, options)))
        }
      }
    }
    guard !traces.isEmpty else {
      throw SluiceError(
        .notFound, "read", path, because: "it is a folder without a trace",
        remedy: "give a file, or the folder of a recording")
    }
    // The files of one recording have the same clock.
    try self.init(merging: traces, isOneRecording: traces.allSatisfy { $0.trace.metadata != nil })
  }

  /// Whether a file has 0 bytes, and no metadata with its streams.
  private static func isUnknown(_ file: TraceFile, _ options: Options) throws(SluiceError) -> Bool {
    do throws(SystemErrno) {
      guard try file.source.peek(1).isEmpty else { return false }
    } catch {
      throw SluiceError(reading: file.name, error)
    }
    return try file.describe(options).metadata?.streams == nil
  }

  /// - Parameter traces: Traces that are not growing.
  init(merging traces: [(path: String, trace: OpenTrace)], isOneRecording: Bool = false) throws(SluiceError) {
    try Self.check(traces)
    self.init(
      decoder: FolderDecoder(traces.map { ($0.path, $0.trace.decoder) }, comparesTimes: !isOneRecording),
      metadata: TraceMetadata(merging: traces.map(\.trace.metadata)), inputs: traces.flatMap(\.trace.inputs))
  }

  /// - Returns: Nil for anything but a file, such as a folder with this name.
  static func source(_ path: String) throws(SluiceError) -> ByteSource? {
    do throws(SystemErrno) {
      return try .regularFile(path)
    } catch {
      if error.code == noRegularFile { return nil }
      throw SluiceError("read", path, errno: error.code)
    }
  }

  /// Checks that the names of all streams are different.
  private static func check(_ traces: [(path: String, trace: OpenTrace)]) throws(SluiceError) {
    var owners: [ExactName: String] = [:]
    for (path, trace) in traces {
      for stream in trace.decoder.list.streams {
        if let other = owners.updateValue(path, forKey: ExactName(stream.name)) {
          throw SluiceError(
            .malformed, "read", path, because: "it has a stream \"\(stream.name)\", and so has \(other)",
            remedy: "leave one of the files out, or replay them one at a time")
        }
      }
    }
    guard owners.count <= TraceMetadata.mostStreams else {
      throw SluiceError(
        .unsupported, "read", traces[0].path,
        because: "it and the other files have \(owners.count) streams, but \(TraceMetadata.mostStreams) is the limit")
    }
  }
}
