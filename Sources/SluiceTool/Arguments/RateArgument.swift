import SluiceArguments

/// The speed of a replay, as a multiple of the recorded speed.
enum RateArgument: ArgumentValue, Equatable {
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
}
