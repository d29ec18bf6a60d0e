import SluicePipeline
import SluiceReadings
import SluiceRecording

/// What one command line puts together: sources, operators, files and their metadata.
struct Run {
  private let pipeline: Pipeline
  private let metadata: RunMetadata
  private let files: OutputFiles
  private let options: OutputOptions
  private let inbox: SignalInbox

  /// Looks at all files before it makes or changes one of them.
  /// - Parameters:
  ///   - inputs: Files that are being read, and their paths.
  init(
    _ sources: [Source], _ operators: OperatorOptions, _ outputs: [RecordingOutput], _ options: OutputOptions,
    inputs: [FileIdentity: String], inbox: SignalInbox, command: String, trace: ReplayedTrace? = nil,
    pauseMode: PauseMode = .hold, count: Int? = nil, clock: EpochClock = EpochClock(),
    began: RecordingMetadata.Instant = .now()
  ) throws {
    self.options = options
    self.inbox = inbox
    let streams = sources.flatMap(\.streams)
    let stages = operators.stages(isReplay: trace != nil).map { $0.sized(for: streams) }
    func say(_ text: String) { if !options.quiet { Console.printLine("sluice: \(text)") } }
    if let given = operators.buffer, given > 0, !streams.isEmpty {
      say(BufferSize(given, for: streams, budget: nil).text(streams: streams.count))
    }
    let files = try OutputFiles(outputs, streams, inputs: inputs)
    self.files = files
    do {
      try AppendCheck.run(
        files.files.filter(\.isAppended), streams, isGrowing: sources.contains { $0.moreStreams != nil }, warn: say)
      try inbox.check()
      pipeline = try Pipeline(
        sources, stages, outputs, inputs: inputs, pauseMode: pauseMode, count: count,
        clock: clock, isInterrupted: { inbox.isStopped }, failed: Console.printError)
    } catch {
      files.removeEmptyFolders()
      throw error
    }
    metadata = RunMetadata(
      RecordingMetadata(
        sources, stages, command: command, trace: trace, began: began, notes: options.meta.map(\.note)),
      files.files)
  }

  func session(
    verb: String, duration: TimeSpan? = nil, idleTimeout: TimeSpan? = nil, startPaused: Bool = false
  ) -> Session {
    Session(
      pipeline: pipeline, metadata: metadata, files: files, options: options, inbox: inbox, verb: verb,
      duration: duration, idleTimeout: idleTimeout, startPaused: startPaused)
  }
}
