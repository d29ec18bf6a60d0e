import ArgumentParser
@_spi(Preview) import SluicePipeline
import SluiceReadings

extension SendingPlan.WhenFull: NamedChoice {}

/// The options for outputs that are servers.
struct SendingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep what a server has not acknowledged in this folder, which is made, so that it outlives this program. Without it, memory keeps 65,536 readings.",
      valueName: "DIR"), completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "The largest size of the spool of a server, with what is acknowledged and still kept. (default: 1G)",
      valueName: "SIZE"))
  var spoolSize: ByteSize?

  @Option(
    help: ArgumentHelp(
      "What a full spool does: take nothing, so that readings wait in the buffer, or drop readings that are not acknowledged. (default: block)",
      valueName: "block|drop-oldest|drop-newest"))
  var spoolFull: SendingPlan.WhenFull?

  @Option(
    help: ArgumentHelp(
      "The name of this board: the tag board of each row, \"\" for none. (default: that of the spool, or of the host)",
      valueName: "NAME"))
  var board: String?

  @Option(
    help: ArgumentHelp(
      "A file with the token for the server. (default: the variable SLUICE_TOKEN)", valueName: "FILE"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with USER:PASSWORD for the server. (default: the variable SLUICE_LOGIN)", valueName: "FILE"),
    completion: .file())
  var loginFile: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with the authorities that sign the certificate of the server. (default: those of the system)",
      valueName: "FILE"), completion: .file())
  var ca: String?

  @Option(help: ArgumentHelp("A PEM file with the certificate of this board.", valueName: "FILE"), completion: .file())
  var cert: String?

  @Option(help: ArgumentHelp("A PEM file with the key of --cert.", valueName: "FILE"), completion: .file())
  var key: String?

  @Option(help: ArgumentHelp("How long a server may take for an answer. (default: 30s)", valueName: "T"))
  var sendTimeout: TimeSpan?

  /// Nil if no option was given.
  var plan: SendingPlan? {
    var plan = SendingPlan(spool: spool)
    (plan.spoolSize, plan.whenFull, plan.board) = (spoolSize, spoolFull, board)
    (plan.tokenFile, plan.loginFile) = (tokenFile, loginFile)
    (plan.authorities, plan.certificate, plan.key, plan.timeout) = (ca, cert, key, sendTimeout)
    return plan == SendingPlan() ? nil : plan
  }
}
