import ArgumentParser
import Dispatch
import Sluice

/// One run of a pipeline from the command line: signals, progress, time limits, the summary and the exit status.
struct Session {
  var pipeline: Pipeline
  var metadata: RunMetadata
  var output: OutputOptions
  var verb: String
  var duration: DurationArgument?
  var idleTimeout: DurationArgument?
  var startPaused = false

  func run() throws {
    let queue = DispatchQueue(label: "sluice.session")
    let signals = Signals(queue: queue) { signal in
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
    if startPaused {
      pipeline.pause()
      say("paused; SIGUSR2 resumes")
    }
    let start = DispatchTime.now()
    if let duration {
      queue.asyncAfter(deadline: start + .nanoseconds(Int(duration.nanoseconds))) { pipeline.stop() }
    }
    let idle = idleTimeout.map { watchIdleness(on: queue, timeout: $0) }
    let progress = Progress(pipeline, quiet: output.quiet, since: start)
    let describe = metadata.begin { pipeline.report($0) }
    pipeline.start()
    pipeline.wait()
    progress.stop()
    idle?.cancel()
    describe(pipeline.outcome)
    signals.cancel()
    let summary = Summary(
      verb: verb, accounts: pipeline.accounts, losses: pipeline.losses, coverage: pipeline.lossCoverage,
      seconds: Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9)
    if !output.quiet || output.stats == .json { printLine(summary.text(output.stats)) }
    try exit(summary)
  }

  private func say(_ what: String) { if !output.quiet { printLine("sluice: \(what)") } }

  private func exit(_ summary: Summary) throws {
    if !pipeline.errors.isEmpty { throw ExitCode(1) }
    if summary.unaccounted != 0 {
      printLine("sluice: the ledger does not balance: \(summary.unaccounted) readings are unaccounted for")
      throw ExitCode(4)
    }
    if let maxLoss = output.maxLoss, summary.lost > maxLoss {
      printLine("sluice: lost \(summary.lost) readings, more than the \(maxLoss) that --max-loss allows")
      throw ExitCode(3)
    }
  }

  /// Stops when nothing has come for so long.
  private func watchIdleness(on queue: DispatchQueue, timeout: DurationArgument) -> any Cancellable {
    var last = (count: -1, time: DispatchTime.now())
    let step = SchedulerStride(nanoseconds: max(timeout.nanoseconds / 10, 1_000_000))
    return queue.schedule(after: queue.now.advanced(by: step), interval: step) {
      let count = pipeline.ledgers.reduce(0) { $0 + $1.received.load(ordering: .relaxed) }
      if count != last.count { last = (count, .now()) }
      let silence = DispatchTime.now().uptimeNanoseconds - last.time.uptimeNanoseconds
      if silence >= UInt64(timeout.nanoseconds) { pipeline.stop() }
    }
  }
}
