import SluiceRecording

/// The metadata files of one run: written when it begins, and again when it has ended.
///
/// A run that is killed leaves those of its beginning, which say that it is unfinished.
struct RunMetadata {
  private let metadata: RecordingMetadata
  private let tables: [CSVTable]
  private let existing: ExistingFile

  /// Before the CSV files are made.
  /// - Throws: If a file would have to be overwritten that may not be.
  init(_ metadata: RecordingMetadata, _ output: OutputOptions) throws(SluiceError) {
    self.metadata = metadata
    tables = output.destination(for: metadata.streams).tables(for: metadata.streams).filter { $0.path != "-" }
    existing = output.existing
    guard existing == .refuse else { return }
    // One beside a CSV file that is there is not what has to be said.
    for table in tables where !fileExists(table.path) && MetadataFile(beside: table.path).exists {
      throw SluiceError(
        .alreadyExists, "write", MetadataFile(beside: table.path).path,
        because: "it is there already, though \(table.path) is not",
        remedy: "remove it, choose another name, or give --force to overwrite it")
    }
  }

  /// Once the CSV files are there.
  /// - Parameter report: What went wrong; readings are to be written all the same.
  /// - Returns: What takes the outcome.
  func begin(_ report: @escaping (SluiceError) -> Void) -> (RecordingMetadata.Outcome) -> Void {
    // What is no regular file, such as /dev/null or a pipe, has nothing beside it.
    let tables = tables.filter { isRegularFile($0.path) }
    var earlier: [String: [String]] = [:]
    var reported: Set<SluiceError> = []
    func attempt(_ body: () throws(SluiceError) -> Void) {
      do throws(SluiceError) { try body() } catch { if reported.insert(error).inserted { report(error) } }
    }
    for table in tables {
      let file = MetadataFile(beside: table.path)
      attempt { () throws(SluiceError) in
        if existing == .append { earlier[table.path] = try file.keep() }
        try file.write(metadata.document(of: table, nil, earlier: earlier[table.path] ?? []))
      }
    }
    return { outcome in
      for table in tables {
        attempt { () throws(SluiceError) in
          try MetadataFile(beside: table.path).write(
            metadata.document(of: table, outcome, earlier: earlier[table.path] ?? []))
        }
      }
    }
  }
}

extension RecordingMetadata {
  /// Of what this command line asked for.
  /// - Parameter bufferSize: Where the user has not said.
  init(
    _ sources: [Source], _ operators: OperatorOptions, _ output: OutputOptions, bufferSize: Int, command: String,
    began: Instant = .now()
  ) {
    self.init(
      command: command, arguments: Array(CommandLine.arguments.dropFirst(2)), operators: operators,
      bufferSize: operators.buffer ?? bufferSize, raw: output.raw, streams: sources.flatMap(\.streams),
      isWhole: sources.flatMap { source in source.streams.map { _ in source.isWhole } }, host: .current,
      version: SluiceCommand.configuration.version, began: began, isLive: !sources.contains(where: \.waits))
  }
}

extension Pipeline {
  /// Once it has ended.
  var outcome: RecordingMetadata.Outcome {
    RecordingMetadata.Outcome(
      ended: .now(), accounts: accounts, flagged: ledgers.map(\.flagged),
      losses: sourceLosses, coverage: lossCoverage, errors: errors)
  }
}
