import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// A recording that another process writes at this moment.
package struct RunningRecording: Equatable, Sendable {
  /// The id of the process; nil if the system does not tell it.
  package var process: Int32?
  /// The start of its run, in nanoseconds since the epoch; nil if it is not known.
  package var since: Int64?

  /// The process that has locked a recording.
  package struct Writer {
    package var process: Int32?
    /// Whether it writes parts of the recording, so that the last part may be finished.
    package var isBetweenParts = false
  }

  /// - Parameters:
  ///   - writer: The process that had locked the recording before it was read.
  ///   - metadata: The metadata of the recording; nil if it is not written yet, or never was.
  ///   - paths: The paths of the recording. Their locks are read again, because the run may have begun since then. No
  ///     reader of these paths may be open.
  package init?(_ writer: Writer?, _ metadata: TraceMetadata?, _ paths: [String] = []) {
    guard let metadata else {
      guard let writer = writer ?? Self.writer(of: paths) else { return nil }
      process = writer.process
      return
    }
    // A run that was repaired has ended.
    let isOpen = metadata.state == .unfinished && metadata.repaired == nil
    guard let writer = writer ?? (isOpen ? Self.writer(of: paths) : nil), isOpen || writer.isBetweenParts else {
      return nil
    }
    process = writer.process
    since = isOpen ? metadata.runs.compactMap { $0.clocks?.began }.max() : nil
  }

  package init(_ writer: Writer) { process = writer.process }

  /// The process that writes one of these recordings; nil if there is none.
  /// - Parameter paths: Files, folders, and names of recordings in parts. No reader of them may be open.
  package static func writer(of paths: [String]) -> Writer? {
    for path in paths {
      if let writer = writer(ofPath: path) { return writer }
    }
    return nil
  }

  private static func writer(ofPath path: String) -> Writer? {
    guard let identity = FileIdentity(path: path) else {
      return RecordedParts(of: path, Compressions.all).flatMap { writer(of: $0) }
    }
    guard identity.isDirectory else { return writer(ofFile: path) }
    let names = (try? recordings(in: path, endingIn: Traces.extensions)) ?? []
    let folder = path.hasSuffix("/") ? path : path + "/"
    let files = names.map { String($0.dropFirst(folder.count)) }
    for parts in RecordedParts.all(of: files, in: folder, Compressions.all) {
      if let writer = writer(of: parts) { return writer }
    }
    return nil
  }

  /// A recording in parts locks its index while it runs, and its newest part until that part is closed.
  package static func writer(of parts: RecordedParts) -> Writer? {
    let path = parts.isFile ? parts.path : parts.path + PartIndex.suffix
    return LockHolder(of: path).map { Writer(process: $0.process, isBetweenParts: !parts.isFile) }
  }

  private static func writer(ofFile path: String) -> Writer? {
    if let holder = LockHolder(of: path) { return Writer(process: holder.process) }
    // The newest part is closed a moment before its metadata says that it is finished.
    guard let part = PartName(fileName(of: path)) else { return nil }
    let recording = SluiceSystem.path(of: part.recording, beside: path)
    // First, because a list of the folder for each of thousands of parts takes long.
    guard LockHolder(of: recording + PartIndex.suffix) != nil,
      let parts = RecordedParts(of: recording, Compressions.all), parts.newest == part.number
    else { return nil }
    return writer(of: parts).map { Writer(process: $0.process) }
  }

  /// `running (process 12292, since 2026-11-24T21:06:49.748Z)`
  package var text: String {
    "running (" + (process.map { "process \($0)" } ?? "another process")
      + (since.map { ", since \(utcTime($0))" } ?? "") + ")"
  }
}
