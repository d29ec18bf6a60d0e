import SluiceArguments
import SluiceReadings

/// `--tolerance 0.5`: a number of zero or more, exactly as it is written.
struct DecimalArgument: ArgumentValue {
  let value: ExactDecimal

  init?(argument: String) {
    guard let value = ExactDecimal(argument), !value.isMissing, value.significand >= 0 else { return nil }
    self.value = value
  }
}
