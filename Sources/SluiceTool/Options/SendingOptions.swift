import SluiceArguments
import SluicePipeline
import SluiceReadings

extension SendingPlan.WhenFull: NamedChoice {}

/// A setting of the servers: `token-file=/etc/token`.
struct ServerArgument: ArgumentValue, Equatable {
  let key: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    (key, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

/// The options for outputs that are servers. Most settings share one.
struct SendingOptions: ArgumentGroup {
  var spool: String?
  var spoolSize: ByteSize?
  var spoolFull: SendingPlan.WhenFull?
  var server: [ServerArgument] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "spool", "DIR",
        "The folder for readings that a server has not acknowledged. They stay there after this program ends. The folder is made if it is missing. Without this option, at most 65,536 readings are kept, in memory; 'sluice resend' needs a folder.",
        \.spool, completion: .folders),
      .option(
        "spool-size", "SIZE",
        "The largest size of the spool of a server, including what is acknowledged and still kept. (default: 1G)",
        \.spoolSize),
      .option(
        "spool-full", "block|drop-oldest|drop-newest",
        "What a full spool does: take nothing, so that readings wait in the buffer, or drop readings that are not acknowledged. (default: block)",
        \.spoolFull),
      .option(
        "server", "KEY=VALUE",
        "A setting of the servers; can be repeated: board (a tag of each row), token-file, login-file (USER:PASSWORD), secrets-for (HOST), ca, cert and key (PEM files), send-timeout (30s), mqtt (5, or 3.1.1).",
        \.server),
    ]
  }

  func validate() throws { _ = try checkedPlan() }

  /// Nil if no option was given.
  var plan: SendingPlan? { try? checkedPlan() }

  /// Gives a plan the settings.
  func set(in plan: inout RecordingPlan) throws {
    plan.sending = try checkedPlan()
    do throws(BrokenRule) { try plan.checkSending() } catch { throw ArgumentFault(error.option) }
  }

  private func checkedPlan() throws -> SendingPlan? {
    var plan = SendingPlan(spool: spool)
    (plan.spoolSize, plan.whenFull) = (spoolSize, spoolFull)
    for setting in server {
      do throws(UsageError) { try plan.set(setting.key, to: setting.value) } catch {
        throw ArgumentFault("--server \(error.description)")
      }
    }
    return plan == SendingPlan() ? nil : plan
  }
}
