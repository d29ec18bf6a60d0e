import ArgumentParser

/// How much faster than it was recorded a trace is replayed.
enum RateArgument: ExpressibleByArgument, Equatable {
  case unlimited
  case times(Double)

  init?(argument: String) {
    if argument == "max" {
      self = .unlimited
    } else if let times = Double(argument) {
      self = .times(times)
    } else {
      return nil
    }
  }

  var times: Double? { if case .times(let times) = self { times } else { nil } }

  var defaultValueDescription: String { "max" }
}
