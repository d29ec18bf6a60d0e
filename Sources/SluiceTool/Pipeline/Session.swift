import ArgumentParser
import Dispatch
import Sluice
import SluicePipeline

/// One run of a pipeline from the command line: signals, progress, time limits, the summary and the exit status.
struct Session {
  var pipeline: Pipeline
  var metadata: RunMetadata
  var files: OutputFiles
  var options: OutputOptions
  var inbox: SignalInbox
  var verb: String
  var duration: TimeSpan?
  var idleTimeout: TimeSpan?
  var startPaused = false

  func run() throws {
    let start = DispatchTime.now()
    let progress = Progress(
      pipeline, isShown: !options.quiet && Console.showsLiveLine(besides: options.output), since: start)
    let describe = metadata.begin { pipeline.report($0) }
    if startPaused {
      pipeline.pause()
      say("paused; SIGUSR2 resumes")
    }
    inbox.deliver { signal in
      switch signal {
      case .stop: pipeline.stop()
      case .pause:
        pipeline.pause()
        say("paused; SIGUSR2 resumes")
      case .resume:
        pipeline.resume()
        say("resumed")
      }
    }
    if let duration {
      inbox.queue.asyncAfter(deadline: start + .nanoseconds(Int(duration.nanoseconds))) { pipeline.stop() }
    }
    let idle = idleTimeout.map { watchIdleness(on: inbox.queue, timeout: $0) }
    pipeline.start()
    // A stop that arrived before the start.
    if inbox.isStopped { pipeline.stop() }
    pipeline.wait()
    progress.stop()
    idle?.cancel()
    let removed = pipeline.errors.isEmpty ? [] : pipeline.removeFilesWithoutRows()
    describe(pipeline.outcome, removed)
    if !removed.isEmpty { files.removeEmptyFolders() }
    let summary = pipeline.summary(
      verb, seconds: Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9)
    if !options.quiet || options.stats == .json { Console.printLine(summary.text(options.stats)) }
    try exit(summary)
  }

  private func say(_ what: String) { if !options.quiet { Console.printLine("sluice: \(what)") } }

  private func exit(_ summary: Summary) throws {
    if summary.hasFailed { throw ExitCode(1) }
    if summary.unaccounted != 0 {
      Console.printLine("sluice: the ledger does not balance: \(summary.unaccounted) readings are unaccounted for")
      throw ExitCode(4)
    }
    guard let maxLoss = options.maxLoss else { return }
    if summary.lost > maxLoss {
      Console.printLine(
        "sluice: lost \(grouped(summary.lost)) readings, more than the \(maxLoss) that --max-loss allows")
      throw ExitCode(3)
    }
    let uncounted = summary.losses.first { $0.isUncounted && $0.count > 0 }.map { $0.text() }
    if let cause = uncounted ?? summary.trace?.errors.first.map({ "the recording had an error (\($0))" }) {
      Console.printLine(
        "sluice: \(cause): an unknown number of readings was lost, so --max-loss \(maxLoss) cannot be kept")
      throw ExitCode(3)
    }
  }

  /// Stops when nothing has come for so long.
  private func watchIdleness(on queue: DispatchQueue, timeout: TimeSpan) -> any Cancellable {
    var last = (count: -1, time: DispatchTime.now())
    let step = SchedulerStride(nanoseconds: max(timeout.nanoseconds / 10, 1_000_000))
    return queue.schedule(after: queue.now.advanced(by: step), interval: step) {
      let count = pipeline.received
      if count != last.count { last = (count, .now()) }
      let silence = DispatchTime.now().uptimeNanoseconds - last.time.uptimeNanoseconds
      if silence >= UInt64(timeout.nanoseconds) { pipeline.stop() }
    }
  }
}
