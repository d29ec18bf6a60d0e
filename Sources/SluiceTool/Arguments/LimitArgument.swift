import ArgumentParser
import SluiceAnalysis

/// A limit of `--fail`.
struct LimitArgument {
  let limit: DistributionLimit

  static func parse(_ text: String) throws -> LimitArgument {
    do throws(DistributionLimit.Fault) {
      return LimitArgument(limit: try DistributionLimit(text))
    } catch {
      throw ValidationError(error.sentence)
    }
  }
}
