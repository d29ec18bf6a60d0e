#if SLUICE_MQTT
  import SluiceArguments
  import SluicePipeline
  import SluiceReadings
  import SluiceRecording
  import SluiceSend

  struct LandCommand: ArgumentCommand {
    static let name = "land"
    static let summary = "Take readings of boards from a broker of MQTT, and write them to files."
    static let discussion = """
      Example: sluice land 'mqtt://127.0.0.1/plant/#' -o /srv/plant

      The folder gets one of its own for each board, with a CSV file for each stream. What comes twice is written once. \
      Numbers that are missing are listed, with the command that closes the gap on the board.
      Exit status: 0 after SIGINT or SIGTERM, also if there are gaps; 1 if the disk fails.
      """

    var url = ""
    var output = ""
    var client: String?
    var server: [ServerArgument] = []
    var duration: TimeSpan?
    var quiet = false

    static var rows: [ArgumentRow<Self>] {
      [
        .argument(
          "URL", "The broker and the topics below which boards publish; + stands for one level, # for all that follow.",
          \.url),
        .option(
          "output", short: "o", "DIR", "The folder for the boards, which is made.", \.output, isNeeded: true,
          completion: .folders),
        .option(
          "client", "NAME",
          "The client id of MQTT. While this program is not connected, the broker keeps the messages for it. (default: made from the folder)",
          \.client),
        .option(
          "server", "KEY=VALUE",
          "A setting of the connection, the same as in 'sluice record': login-file, ca, cert or key; can be repeated.",
          \.server),
        .option("duration", "T", "End after this time. (default: at a signal)", \.duration),
        .flag("quiet", short: "q", "Print errors and warnings only.", \.quiet),
      ]
    }

    func validate() throws {
      if output.isEmpty { throw Fault("-o takes a folder") }
      if let client, client.isEmpty || client.utf8.count > 200 || !client.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
        throw Fault("--client takes a name of ASCII characters without spaces")
      }
      _ = try sending
    }

    private var sending: SendingPlan {
      get throws {
        var plan = SendingPlan()
        for setting in server {
          guard ["login-file", "ca", "cert", "key"].contains(setting.key) else {
            throw Fault("--server of land has login-file, ca, cert and key, not \(setting.key)")
          }
          do throws(Fault) { try plan.set(setting.key, to: setting.value) } catch {
            throw Fault("--server \(error.description)")
          }
        }
        return plan
      }
    }

    func run() throws {
      let interruption = Interruption()
      let signals = Signals { signal in
        if signal == .stop || signal == .stopAtOnce { interruption.raise() }
      }
      defer { signals.cancel() }
      try reportingErrors {
        let clocks = SystemClocks()
        let quiet = quiet
        let land = try Land(
          url, try sending.serverSettings, in: output, client: client, now: { clocks.monotonic },
          { Self.tell($0, quiet: quiet) })
        let end = duration.map { clocks.monotonic + $0.nanoseconds }
        try land.run { interruption.isRaised || end.map { clocks.monotonic >= $0 } ?? false }
        let (counts, gaps) = (land.counts, land.gaps)
        let listed = land.listedGaps(most: 100)
        for line in listed.lines { Console.warn(Self.text(line.gap, line.others)) }
        if listed.boards > 0 { Console.warn(Self.unlisted(listed)) }
        if !quiet { try printLine(Self.text(counts, gaps)) }
      }
    }

    private static func tell(_ news: Land.News, quiet: Bool) {
      switch news {
      case .connected: if !quiet { Console.say("connected; readings are written") }
      case .away(let error): Console.warn("\(error); it is tried again")
      case .gap(let gap, let others):
        Console.warn(text(gap, others))
      case .closed(let gap): if !quiet { Console.say("\(named(gap.board)): numbers \(numbers(gap)) have come") }
      case .shared(let board, let count, let others):
        Console.warn(
          "\(named(board)): \(grouped(count)) row\(count == 1 ? " has a number that another row" : "s have numbers that other rows") had already; all of them are written. Perhaps the spool on the board was copied or restored; give each recording its own --wait-on-disk\(more(others))"
        )
      case .state(let board, let word, let others):
        if !quiet { Console.say("\(named(board)) is \(word == "ended" ? "at its end" : word)\(more(others))") }
      case .cut(let file, let bytes):
        Console.warn(
          "\(file): cut off the last \(grouped(Int(bytes))) bytes, whose numbers are not known; they are a gap")
      case .strange(let topic, let cause, let count):
        Console.warn(
          "\(grouped(count)) message\(count == 1 ? " was" : "s were") left out; the last one, to \(topic): \(cause)")
      }
    }

    /// - Parameter others: The boards of which the same could be said.
    private static func more(_ others: Int) -> String {
      others == 0
        ? "" : "; there is news of \(grouped(others)) more board\(others == 1 ? "" : "s") below the same level"
    }

    private static func named(_ board: String) -> String { board.isEmpty ? "the board without a name" : board }

    private static func numbers(_ gap: LandGap) -> String {
      "\(gap.numbers.lowerBound) to \(gap.numbers.upperBound - 1)"
    }

    private static func text(_ gap: LandGap, _ others: Int = 0) -> String {
      let more = others > 0 ? ", and \(grouped(others)) more gap\(others == 1 ? "" : "s")" : ""
      let first = others > 0 ? ", for the first one" : ""
      return
        "\(named(gap.board)): numbers \(numbers(gap)) of the epoch \(gap.epoch.prefix(8)) have not come\(more); on the board\(first): \(gap.command)"
    }

    private static func unlisted(_ list: ListedGaps) -> String {
      "\(grouped(list.gaps)) more gap\(list.gaps == 1 ? " is" : "s are") those of "
        + "\(grouped(list.boards)) more board\(list.boards == 1 ? "" : "s")"
    }

    private static func text(_ counts: Land.Counts, _ gaps: [LandGap]) -> String {
      // Somebody may have sent numbers so large that the sum of the gaps overflows.
      let missing = gaps.reduce(0) { sum, gap in
        let (sum, overflows) = sum.addingReportingOverflow(gap.numbers.count)
        return overflows ? .max : sum
      }
      let shared = counts.shared > 0 ? "; \(grouped(counts.shared)) have numbers that other rows had already" : ""
      let strange =
        counts.strange > 0
        ? "; \(grouped(counts.strange)) message\(counts.strange == 1 ? " was" : "s were") left out" : ""
      return
        "landed \(grouped(counts.rows)) readings of \(grouped(counts.boards)) board\(counts.boards == 1 ? "" : "s"); "
        + "\(grouped(counts.duplicates)) had come before, \(grouped(missing)) are missing in \(grouped(gaps.count)) "
        + "gap\(gaps.count == 1 ? "" : "s")\(shared)\(strange)"
    }
  }
#endif
