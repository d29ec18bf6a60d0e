#if SLUICE_CURL
  import SluiceArguments
  import SluicePipeline
  import SluiceReadings
  import SluiceRecording
  import SluiceSend

  struct ResendCommand: ArgumentCommand {
    static let name = "resend"
    static let summary = "Send what waits in a spool, or send readings again, without a recording."
    static let discussion = """
      Examples: sluice resend --spool /var/lib/plant/spool
                sluice resend --spool /var/lib/plant/spool --from 120000 --to 129999

      Without --from, what waits is sent; no recording may have the spool open. With --from, readings are sent again with \
      the same numbers, also beside a recording: their server must take the same point twice, as line protocol does, and subscribers of a broker drop the numbers that \
      they have. \
      'sluice spool DIR' shows the numbers.
      Exit status: 1 if some of the readings are gone, or are not acknowledged.
      """

    var spool = ""
    var plan = SendingPlan()
    var from: UInt64?
    var to: UInt64?
    var quiet = false

    static var rows: [ArgumentRow<Self>] {
      [
        .option(
          "spool", "DIR", "The folder of --wait-on-disk, or one of the spools in it.", \.spool, completion: .folders),
        .server(\.plan),
        .option("from", "SEQ", "The first sequence number to send. (default: the first that waits)", \.from),
        .option("to", "SEQ", "The last sequence number to send. (default: the last in the spool)", \.to),
        .flag("quiet", short: "q", "Print errors and warnings only.", \.quiet),
      ]
    }

    func validate() throws {
      if spool.isEmpty { throw Fault("say where the readings are: resend --spool DIR") }
      if to != nil, from == nil { throw Fault("--to ends what --from begins; give --from too") }
      for (name, number) in [("from", from), ("to", to)] where number ?? 0 > Resend.lastNumber {
        throw Fault("--\(name) takes a number up to \(Resend.lastNumber), the last that a spool can have")
      }
      if let from, let to, to < from { throw Fault("--to \(to) is before --from \(from)") }
    }

    func run() throws {
      try reportingErrors {
        let resend = try Resend(
          spool, from: from, to: to, plan.serverSettings, compressor: LinkedKinds.all.sendingCompressor)
        let address = resend.shownAddress
        for gone in resend.gone {
          Console.warn(
            "\(resend.folder) does not have \(Self.text(gone)); it has \(resend.kept.isEmpty ? "none" : Self.text(resend.kept))"
          )
        }
        if !quiet, !resend.numbers.isEmpty {
          let count = grouped(Int(resend.numbers.upperBound - resend.numbers.lowerBound))
          Console.say("sending \(count) readings to \(address)")
        }
        let counts = try resend.run { event in
          switch event {
          case .away(let error, _): Console.warn("\(error); it is tried again")
          case .spoolFault(let error), .warned(let error): Console.warn("\(error)")
          case .refused(let error, let readings, let file):
            Console.warn("\(error); \(grouped(readings)) so far\(file.map { ", in \($0)" } ?? "")")
          default: break
          }
        }
        if !quiet { try printLine(Self.text(counts, address, isEmpty: resend.numbers.isEmpty)) }
        if !resend.gone.isEmpty || counts.queued + counts.refused.readings + counts.lost > 0 { throw ExitCode(1) }
      }
    }

    private static func text(_ numbers: Range<UInt64>) -> String {
      numbers.upperBound - numbers.lowerBound == 1
        ? "number \(numbers.lowerBound)" : "numbers \(numbers.lowerBound) to \(numbers.upperBound - 1)"
    }

    private static func text(_ counts: SendingCounts, _ address: String, isEmpty: Bool) -> String {
      if isEmpty { return "nothing is to be sent to \(address)" }
      let others = [
        (counts.repeated.readings, "sent again"), (counts.refused.readings, "refused"),
        (counts.lost, "damaged in the spool"),
        (counts.queued, "still waiting"),
      ].filter { $0.0 > 0 }.map { ", \(grouped($0.0)) \($0.1)" }.joined()
      return "\(address): \(grouped(counts.acknowledged.readings)) acknowledged\(others)"
    }
  }
#endif
