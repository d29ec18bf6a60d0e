/// The words of a rule, in which `\(setting: "raw")` is `"raw"` in a plan, and `--raw` for the command.
package struct RuleSentence: ExpressibleByStringInterpolation, Sendable {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var (inPlan, inCommand) = ("", "")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) {
      inPlan += text
      inCommand += text
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }

    /// - Parameter option: What the command writes, if it is not the option of this name.
    package mutating func appendInterpolation(setting key: String, _ option: String? = nil) {
      inPlan += "\"\(key)\""
      inCommand += option ?? "--\(key)"
    }
  }

  let inPlan: String
  let inCommand: String

  package init(stringLiteral text: String) { (inPlan, inCommand) = (text, text) }
  package init(stringInterpolation: StringInterpolation) {
    (inPlan, inCommand) = (stringInterpolation.inPlan, stringInterpolation.inCommand)
  }
}
