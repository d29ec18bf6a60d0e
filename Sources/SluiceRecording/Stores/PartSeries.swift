package import SluiceReadings
package import SluiceSystem

/// The parts of one recording, and their observer.
package struct PartSeries: Sendable {
  /// The path as it was given: `logs/walk.csv`.
  package var path: String
  package var rotation: Rotation
  /// What to do if parts exist.
  package var existing: ExistingFile
  /// The number of the output.
  package var output: Int
  /// The streams in its parts.
  package var streams: Range<Int>
  /// The ending; that of the format if the path has none.
  var ending: String
  /// Whether a whole file with these bytes may have a reading.
  var mayHaveReading: @Sendable ([UInt8]) -> Bool
  package var observer: any PartObserver

  package init(
    path: String, rotation: Rotation, existing: ExistingFile = .refuse, output: Int, streams: Range<Int>,
    ending: String, mayHaveReading: @escaping @Sendable ([UInt8]) -> Bool,
    observer: any PartObserver = NoPartObserver()
  ) {
    self.path = path
    self.ending = ending
    self.mayHaveReading = mayHaveReading
    self.rotation = rotation
    self.existing = existing
    self.output = output
    self.streams = streams
    self.observer = observer
  }

  var folder: String { SluiceSystem.folder(of: path) }

  func name(_ number: Int, _ time: Int64) -> PartName {
    // A dot at the start of the name means a hidden file.
    let fileName = SluiceSystem.fileName(of: path)
    let dot = fileName.dropFirst().lastIndex(of: ".")
    return PartName(
      stem: dot.map { String(fileName[..<$0]) } ?? fileName, number: number, time: time,
      ending: dot.map { String(fileName[fileName.index(after: $0)...]) } ?? ending)
  }

  package func path(of name: PartName) -> String { path(name.text) }

  private func path(_ name: String) -> String { SluiceSystem.path(of: name, beside: path) }

  /// The file with the name of the recording.
  package var file: String { path(name(1, 0).recording) }

  /// The existing parts, in order.
  package func parts(_ files: any FileSystem) throws(SystemErrno) -> [PartName] {
    let recording = name(1, 0).recording
    return try files.names(in: folder).compactMap { PartName($0) }.filter { $0.recording == recording }
      .sorted { ($0.number, $0.time) < ($1.number, $1.time) }
  }

  /// Unfinished metadata of killed runs. The next run writes the metadata of other parts.
  func leftovers(_ files: any FileSystem) throws(SystemErrno) -> [String] {
    let recording = name(1, 0).recording
    let ending = MetadataFile.suffix + temporaryEnding
    return try files.names(in: folder)
      .filter { $0.hasSuffix(ending) && PartName($0.dropLast(ending.count))?.recording == recording }
      .map { "\(folder)/\($0)" }
  }

  /// The file with the last number, and the counts of removed parts.
  package var index: String { file + PartIndex.suffix }
}

/// One part of a recording.
package struct Part: Sendable {
  package var series: PartSeries
  package var name: PartName
  package var path: String
  /// By stream, the number of readings in it.
  package var written: [Int] = []
  /// The error of its last bytes. They may not be on the disk.
  package var failure: SluiceError?
}

/// Receives the events of parts, on the queue of the output, one call at a time.
package protocol PartObserver: Sendable {
  /// A part was made, without rows so far.
  func began(_ part: Part)
  /// All rows of a part are written, and synced if the recording syncs.
  func ended(_ part: Part)
  /// A part was removed. Its readings are known only if its metadata has their number.
  func removed(_ name: PartName, of series: PartSeries, bytes: Int64, readings: Int?)
  /// An old part could not be removed.
  func failed(_ error: SluiceError)
  /// The time, in nanoseconds since the epoch, and whether the clock is synchronised.
  var clock: (now: Int64, isSynchronised: Bool) { get }
}

/// An observer for a recording without metadata.
package struct NoPartObserver: PartObserver {
  package init() {}
  package func began(_ part: Part) {}
  package func ended(_ part: Part) {}
  package func removed(_ name: PartName, of series: PartSeries, bytes: Int64, readings: Int?) {}
  package func failed(_ error: SluiceError) {}
  package var clock: (now: Int64, isSynchronised: Bool) { (0, false) }
}
