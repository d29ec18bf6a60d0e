public import SluiceReadings

/// A condition on the values of a reading: `voltage0 > 1.5 and not (accel_x < -1 or accel_x > 1)`.
///
/// Numbers are compared by `<`, `<=`, `>`, `>=`, `==` and `!=`. Conditions are joined by `and`, `or` and `not`, of which `not`
/// binds most and `or` least; `&&`, `||` and `!` mean the same. Numbers may be calculated with `+`, `-`, `*`, `/`,
/// parentheses and `abs(…)`. A name is a channel, `STREAM.channel`, or a stream with one channel; one that has other
/// characters than letters, digits, `_` and `.`, or that is a word of the language, stands in double quotes.
///
/// A value is the one in its unit. A comparison with a missing value is false.
///
/// ```swift
/// import SluiceStages
///
/// let condition = try Expression("abs(accel_x) > 0.5")
/// print(condition.names)  // ["accel_x"]
/// ```
public struct Expression: Hashable, Sendable {
  /// As it was written.
  public let text: String
  /// The names in it, each once.
  public let names: [String]
  /// In the order in which they are carried out, each on the numbers that those before have left.
  let steps: [Step]

  /// How many numbers are kept at once at the most.
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

  /// One step of a calculation; true is 1, false is 0.
  enum Step: Hashable, Sendable {
    case number(Double)
    /// By its place among the names.
    case value(Int)
    case negate, absolute, not
    case add, subtract, multiply, divide
    case less, atMost, greater, atLeast, equal, unequal
    case and, or
  }

  /// - Throws: A ``SluiceError`` that says where the text is no condition, and what was expected there.
  public init(_ text: String) throws(SluiceError) {
    var parser = ExpressionParser(text)
    try parser.parse()
    self.text = text
    (names, steps) = (parser.names, parser.steps)
  }

  /// - Parameter numbers: The values of the names, `nan` for a missing one, and behind them ``depth`` places.
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
