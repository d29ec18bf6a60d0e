import ArgumentParser
import SluicePipeline
import SluiceReadings

extension SendingPlan.WhenFull: NamedChoice {}

/// A setting of the servers: `token-file=/etc/token`.
struct ServerArgument: ExpressibleByArgument, Equatable {
  let key: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    (key, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}

/// The options for outputs that are servers.
///
/// Each option costs every start of the command a little, so most settings share one.
struct SendingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for readings that a server has not acknowledged. They stay there after this program ends. The folder is made if it is missing. Without this option, at most 65,536 readings are kept, in memory; 'sluice resend' needs a folder.",
      valueName: "DIR"), completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "The largest size of the spool of a server, including what is acknowledged and still kept. (default: 1G)",
      valueName: "SIZE"))
  var spoolSize: ByteSize?

  @Option(
    help: ArgumentHelp(
      "What a full spool does: take nothing, so that readings wait in the buffer, or drop readings that are not acknowledged. (default: block)",
      valueName: "block|drop-oldest|drop-newest"))
  var spoolFull: SendingPlan.WhenFull?

  @Option(
    help: ArgumentHelp(
      "A setting of the servers; can be repeated: board (a tag of each row), token-file, login-file (USER:PASSWORD), secrets-for (HOST), ca, cert and key (PEM files), send-timeout (30s), mqtt (5, or 3.1.1).",
      valueName: "KEY=VALUE"))
  var server: [ServerArgument] = []

  func validate() throws { _ = try checkedPlan() }

  /// Nil if no option was given.
  var plan: SendingPlan? { try? checkedPlan() }

  /// Gives a plan the settings.
  func set(in plan: inout RecordingPlan) throws {
    plan.sending = try checkedPlan()
    do throws(BrokenRule) { try plan.checkSending() } catch { throw ValidationError(error.option) }
  }

  private func checkedPlan() throws -> SendingPlan? {
    var plan = SendingPlan(spool: spool)
    (plan.spoolSize, plan.whenFull) = (spoolSize, spoolFull)
    for setting in server {
      do throws(UsageError) { try plan.set(setting.key, to: setting.value) } catch {
        throw ValidationError("--server \(error.description)")
      }
    }
    return plan == SendingPlan() ? nil : plan
  }
}
