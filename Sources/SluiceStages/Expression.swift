public import SluiceReadings

/// A condition on the values of a reading: `voltage0 > 1.5 and not (accel_x < -1 or accel_x > 1)`.
///
/// Comparisons are `<`, `<=`, `>`, `>=`, `==` and `!=`. They are combined with `not`, `and` and `or`; `not` has the
/// highest precedence, `or` the lowest. `&&`, `||` and `!` mean the same. Numbers may be calculated with `+`, `-`, `*`,
/// `/`, parentheses and `abs(…)`. A name is a channel, `STREAM.channel`, or a stream with one channel. A name needs
/// double quotes if it has other characters than letters, digits, `_` and `.`, or if it is `and`, `or`, `not` or `abs`.
/// Values are in the units of their channels. A comparison with a missing value is false.
///
/// ```swift
/// import SluiceStages
///
/// let condition = try Expression("abs(accel_x) > 0.5")
/// print(condition.names)  // ["accel_x"]
/// ```
public struct Expression: Hashable, Sendable {
  /// The text of the condition.
  public let text: String
  /// The names in the condition, each of them once.
  public let names: [String]
  /// The steps in the order of execution. Each step takes its operands from a stack and puts its result there.
  let steps: [Step]

  /// The greatest depth of the stack.
  var depth: Int {
    var (depth, most) = (0, 0)
    for step in steps {
      switch step {
      case .number, .value: depth += 1
      case .negate, .absolute, .not: break
      default: depth -= 1
      }
      most = max(most, depth)
    }
    return most
  }

  /// One step of a calculation. True is 1, false is 0.
  enum Step: Hashable, Sendable {
    case number(Double)
    /// The value of a name, by the index of the name.
    case value(Int)
    case negate, absolute, not
    case add, subtract, multiply, divide
    case less, atMost, greater, atLeast, equal, unequal
    case and, or
  }

  /// - Throws: A `SluiceError` with the column of the fault and the expected text, if the text is not a condition.
  public init(_ text: String) throws(SluiceError) {
    var parser = ExpressionParser(text)
    try parser.parse()
    self.text = text
    (names, steps) = (parser.names, parser.steps)
  }

  /// - Parameter numbers: The values of the names, `nan` for a missing value, followed by ``depth`` places.
  func isTrue(_ numbers: UnsafeMutableBufferPointer<Double>) -> Bool {
    var top = names.count - 1
    for step in steps {
      switch step {
      case .number(let number):
        top += 1
        numbers[top] = number
      case .value(let index):
        top += 1
        numbers[top] = numbers[index]
      case .negate: numbers[top] = -numbers[top]
      case .absolute: numbers[top] = numbers[top].magnitude
      case .not: numbers[top] = numbers[top] == 0 ? 1 : 0
      default:
        numbers[top - 1] = Self.result(step, numbers[top - 1], numbers[top])
        top -= 1
      }
    }
    return numbers[top] == 1
  }

  private static func result(_ step: Step, _ a: Double, _ b: Double) -> Double {
    switch step {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide: return a / b
    case .less: return a < b ? 1 : 0
    case .atMost: return a <= b ? 1 : 0
    case .greater: return a > b ? 1 : 0
    case .atLeast: return a >= b ? 1 : 0
    case .equal: return a == b ? 1 : 0
    // A missing value is neither equal nor unequal.
    case .unequal: return a < b || a > b ? 1 : 0
    case .and: return a == 1 && b == 1 ? 1 : 0
    case .or: return a == 1 || b == 1 ? 1 : 0
    case .number, .value, .negate, .absolute, .not: return .nan
    }
  }
}
