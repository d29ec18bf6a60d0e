import SluiceAnalysis
import SluiceArguments

/// A limit of `--fail`.
struct LimitArgument: ArgumentValue {
  let limit: DistributionLimit

  init?(argument: String) {
    guard let limit = try? DistributionLimit(argument) else { return nil }
    self.limit = limit
  }

  static func why(_ argument: String) -> String? {
    do throws(DistributionLimit.Fault) { _ = try DistributionLimit(argument) } catch { return error.sentence }
    return nil
  }
}
