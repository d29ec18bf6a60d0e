import ArgumentParser
import SluiceAnalysis

/// A limit of `--fail`.
struct LimitArgument {
  let limit: DistributionLimit

  static func parse(_ text: String) throws -> LimitArgument {
    do { return LimitArgument(limit: try DistributionLimit(text)) } catch let fault as DistributionLimit.Fault {
      throw ValidationError(fault.sentence)
    }
  }
}
