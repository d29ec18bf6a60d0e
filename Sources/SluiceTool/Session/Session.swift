import Sluice
import SluiceDevices
import SluicePipeline
import SluiceReadings
import SluiceSystem

#if SLUICE_HTTP
  import SluiceHTTP
#endif

/// One run of a plan from the command line: signals, progress, the summary and the exit status.
struct Session {
  var plan: RecordingPlan
  var roots = DeviceRoots()
  /// The command; nil if the plan decides between `record` and `replay`.
  var command: Account.Command?
  var verbosity: Verbosity
  var stats: SummaryArgument
  /// Whether the streams are shown on a terminal; nil if the plan decides.
  var isLive: Bool?
  /// Who else sees it; nil for a command without viewers.
  var viewers: ViewerOptions?
  /// The name by which `sluice ctl` finds it, the program for events, and the file for its health; nil for a command without
  /// them.
  var control: ControlOptions?
  /// Reads the plan again from where it came; nil if it came from arguments, or from a pipe. With it, the plan can change while
  /// the recording runs.
  var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)?
  /// What SIGHUP does: it ends the recording of a terminal that is closed, and reads the file of a station again.
  var hangUp = SignalRequest.stop

  @discardableResult func run() throws -> Account {
    let (inbox, signals) = SignalInbox.open(hangUp: hangUp)
    defer { signals.cancel() }
    var context = RecordingContext()
    let messages = context.events.publisher.sink { [verbosity] in Console.show($0.kind, verbosity) }
    defer { messages.cancel() }
    let programs = try control?.programs(Console.warn)
    let happening = programs.map { programs in context.events.publisher.sink { programs.happened($0) } }
    defer {
      happening?.cancel()
      programs?.end()
    }
    context.roots = roots
    context.command = command
    context.arguments = Array(CommandLine.arguments.dropFirst(2))
    context.isInterrupted = { inbox.isStopped }
    if case .file(let path) = stats {
      try AccountFile.check(path, isNoneOf: plan.outputs.map(\.path) + (plan.replay?.files ?? []))
    }
    if let textfile = self.control?.textfile { try WholeFile.check(textfile) }
    let control = try control.flatMap { options throws(SluiceError) in
      let name = options.name ?? plan.name
      return try SessionControl(plan, name: name, isRequired: options.name != nil) { [verbosity] error in
        let note = "'sluice ctl' cannot control this recording: \(error)"
        // A user who gave a name wants the control. If two recordings have one name, the user would control the other
        // one. Other users may not even know of the control.
        if name != nil || error.code == .busy {
          if verbosity > .quiet { Console.say(note) }
        } else if verbosity == .verbose {
          Console.detail(note)
        }
      }
    }
    var end = "it could not go on"
    defer { control?.end(end) }
    context.isChangeable = origin != nil
    let recording = try Recording(plan, context)
    let notices = ServiceNotices(recording, Console.variable)
    defer { notices?.end() }
    let reloader = origin.map { read in
      PlanReloader(recording, read) { isReading in if isReading { notices?.reloading() } else { notices?.ready() } }
    }
    let needsHealth = control != nil || self.control?.textfile != nil
    let health = needsHealth ? RecordingHealth(recording, roots: roots) : nil
    defer { health?.end() }
    if let health { control?.serve(recording, health, reloader) { notices?.stopping() } }
    let textfile = health.flatMap { health in self.control?.textfile.map { HealthTextfile($0, health) } }
    defer { textfile?.end() }
    #if SLUICE_HTTP
      let server = try viewers?.server(recording)
      defer { server?.stop() }
      if let server {
        server.start()
        if verbosity > .quiet { Console.say("watch it at \(server.url)") }
      }
    #endif
    let note: @Sendable (String) -> Void = { [verbosity] in if verbosity > .quiet { Console.say($0) } }
    let place = progressPlace
    let progress = Progress(recording, place, hasKeys: takesKeys(place))
    let keys =
      takesKeys(place)
      ? TerminalKeys(on: inbox.queue) { keys in
        for action in progress.press(keys) { act(action, recording, note) }
        progress.update()
      } : nil
    defer { keys?.end() }
    if plan.startPaused { note("paused; SIGUSR2 resumes") }
    inbox.deliver { [verbosity] signal in
      switch signal {
      case .stop:
        // The terminal is restored first, because a later signal may end the process at once.
        keys?.end()
        notices?.stopping()
        recording.stop()
      case .stopAtOnce: recording.stopAtOnce()
      case .pause:
        recording.pause()
        note("paused; SIGUSR2 resumes")
      case .resume:
        recording.resume()
        note("resumed")
      case .reload: reloader?.reload { Console.show($0, verbosity) }
      }
    }
    // A replay is over soon.
    let memory = plan.replay == nil ? MemoryUpkeep() : nil
    defer { memory?.end() }
    recording.start()
    notices?.ready()
    reloader?.begin()
    // A stop may have arrived before the start.
    if inbox.isStopped { recording.stop() }
    let account = recording.wait()
    notices?.end()
    if let control {
      end = account.text
      control.end(end)
    }
    // Everything is written. From here a signal ends the process, because a slow reader of the summary could hold it
    // up.
    signals.cancel()
    progress.stop()
    if stats == .json {
      Console.printLine(account.json.text, .notice)
    } else if verbosity > .quiet, !(account.hasFailed && leavesNothing) {
      let table = account.streamTable(columns: Console.columns)
      for line in [account.text] + table { Console.printLine(line, .notice) }
    }
    if verbosity == .verbose { Console.detail(RunCost(account).text) }
    var statsError: SluiceError?
    if case .file(let path) = stats {
      do throws(SluiceError) {
        try AccountFile.write(account, to: path)
      } catch {
        statsError = error
      }
    }
    // The exit status of a loss has precedence over that of the account file.
    if let statsError { Console.printError(statsError) }
    try exit(account)
    if statsError != nil { throw ExitCode(1) }
    return account
  }

  /// Whether a conversion has removed its files, because it could not be finished: nothing of it was written then.
  private var leavesNothing: Bool {
    command == .convert
      && plan.outputs.allSatisfy { output in
        output.path != "-" && output.rotation == nil && !OutputKinds.isServer(output.path)
          && FileIdentity(path: output.path) == nil
      }
  }

  private var progressPlace: Progress.Place {
    let elsewhere = verbosity == .verbose ? Progress.Place.log : .nowhere
    guard verbosity > .quiet, Console.showsLiveLine(besides: plan.outputs.map(\.path)) else { return elsewhere }
    // A replay that does not wait is over before there is much to see. A program that reads the output may show
    // something on the same terminal.
    let isLive = isLive ?? (!writesStandardOutput && plan.replay.map { $0.rate != nil } ?? true)
    if Console.isDumb { return isLive ? .line : elsewhere }
    return isLive ? .view : .line
  }

  /// Whether keys control the recording: if standard input is a terminal, and no source or trace. A replay that does
  /// not wait has none, and a recording only if they are named.
  private func takesKeys(_ place: Progress.Place) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    if let replay = plan.replay { return replay.rate != nil && !replay.files.contains("-") }
    return place.isTerminal && !Console.isDumb && !readsStandardInput
      // Its reader may be a pager, which has the keys.
      && !writesStandardOutput
  }

  private var writesStandardOutput: Bool { plan.outputs.contains { $0.path == "-" } }

  private var readsStandardInput: Bool {
    plan.sources.contains { $0.spec.kind.name == "lines" && $0.spec.what.split(separator: ",").first == "-" }
  }

  private func act(_ action: LiveKeys.Action, _ recording: Recording, _ note: (String) -> Void) {
    switch action {
    case .pause: if recording.isPaused { recording.resume() } else { recording.pause() }
    case .step: recording.step()
    case .stop: recording.stop()
    case .mark(let text):
      do throws(SluiceError) {
        try recording.mark(text)
        note("marked: \(text)")
      } catch {
        Console.printError(error)
      }
    }
  }

  private func exit(_ account: Account) throws {
    if account.hasFailed { throw ExitCode(1) }
    if account.unaccounted != 0 {
      let count = account.unaccounted
      Console.printLine(
        "sluice: the account does not balance: \(count) \(count == 1 ? "reading is" : "readings are") unaccounted for",
        .error)
      throw ExitCode(4)
    }
    guard let maxLoss = plan.limits.maxLoss else { return }
    if account.lost > maxLoss {
      Console.printLine(
        "sluice: lost \(grouped(account.lost)) reading\(account.lost == 1 ? "" : "s"), "
          + "more than the \(maxLoss) that --max-loss allows", .error)
      throw ExitCode(3)
    }
    let uncounted = account.losses.first { $0.isUncounted && $0.count > 0 }.map { $0.text() }
    if let cause = uncounted ?? account.trace?.errors.first.map({ "the recording had an error (\($0))" }) {
      Console.printLine(
        "sluice: \(cause): an unknown number of readings may be lost, so --max-loss \(maxLoss) cannot be kept",
        .error)
      throw ExitCode(3)
    }
  }
}
