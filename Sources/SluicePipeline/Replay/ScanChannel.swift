import SluiceDevices
import SluiceReadings

/// A channel of an IIO buffer in the text form: `accel_x=le:s12/16>>4 +3 *0.0005 m/s^2`.
struct ScanChannel {
  let name: String
  let format: ScanFormat
  private let type: String
  private var offset: ExactDecimal?
  private var scale: ExactDecimal?
  private var unit: String?

  init(_ text: String) throws(SluiceError) {
    let words = text.split(separator: " ")
    guard let first = words.first, let equals = first.firstIndex(of: "="), equals > first.startIndex else {
      throw Self.error("\(Self.shown(text)) is not a channel", remedy: "write each as NAME=TYPE, separated by commas")
    }
    name = String(first[..<equals])
    type = String(first[first.index(after: equals)...])
    guard let format = ScanFormat(type) else {
      throw Self.error(
        "the type of \(name), \(Self.shown(type)), is not one that the kernel writes",
        remedy: "copy it from scan_elements/in_\(name)_type, such as le:s12/16>>4")
    }
    self.format = format
    for word in words.dropFirst() {
      let number = ExactDecimal(word.dropFirst()).flatMap { $0.isMissing ? nil : $0 }
      // Offset and scale are in the order in which they are applied.
      switch word.first {
      case "+" where number != nil && offset == nil && scale == nil && unit == nil: offset = number
      case "-" where number != nil && offset == nil && scale == nil && unit == nil: offset = ExactDecimal(word)
      case "*" where number != nil && scale == nil && unit == nil: scale = number
      case "+", "-", "*": throw Self.misplaced(word, name)
      default:
        guard unit == nil else { throw Self.misplaced(word, name) }
        unit = String(word)
      }
    }
  }

  var isPlain: Bool { offset == nil && scale == nil && unit == nil && format.repeats == 1 }

  /// The channels in a reading: one, or one per element, numbered from 0 as in a recording.
  var elements: [StreamDescription.Channel] {
    let names = format.repeats == 1 ? [name] : (0..<format.repeats).map { "\(name)_\($0)" }
    return names.map {
      .init(name: $0, unit: unit, format: type, scale: scale ?? .one, offset: offset ?? .zero)
    }
  }

  private static func misplaced(_ word: Substring, _ name: String) -> SluiceError {
    error(
      "\(shown(String(word))) of channel \(name) is out of place",
      remedy: "write NAME=TYPE +OFFSET *SCALE UNIT in this order, such as accel_x=le:s12/16>>4 +3 *0.0005 m/s^2")
  }

  private static func shown(_ text: String) -> String { "\"\(text.prefix(48))\"" }

  static func error(_ cause: String, remedy: String? = nil) -> SluiceError {
    SluiceError(.usage, "take", "--scan-layout", because: cause, remedy: remedy)
  }
}
