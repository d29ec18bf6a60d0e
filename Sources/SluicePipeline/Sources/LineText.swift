import SluiceDevices
import SluiceReadings
import SluiceRecording

/// WHAT of a source of lines: the wire, then the form of the lines: `/dev/ttyUSB0@115200,as=csv,time=utc`.
struct LineText: Hashable, Sendable {
  /// The text before the settings.
  let wire: String
  let form: LineForm
  /// The settings of the wire, by name.
  let settings: [String: String]

  /// - Parameters:
  ///   - own: The names of the wire's own settings.
  ///   - isQuoted: Whether commas within quotes belong to the wire.
  /// - Throws: The fault in words.
  init(_ what: String, own: [String] = [], isQuoted: Bool = false) throws(LineFault) {
    var wire: [Substring] = []
    var ofForm: [Substring] = []
    var settings: [String: String] = [:]
    for piece in SourceSpec.pieces(what[...], isQuoted: isQuoted) {
      let name = piece.prefix { $0 != "=" }
      if let last = ofForm.last, last.hasPrefix("match=") {
        // The expression takes the rest.
        ofForm[ofForm.count - 1] = last + "," + piece
      } else if wire.isEmpty || name.endIndex == piece.endIndex {
        wire.append(piece)
      } else if LineForm.settings.contains(String(name)) {
        ofForm.append(piece)
      } else if own.contains(String(name)) {
        guard settings.updateValue(String(piece[name.endIndex...].dropFirst()), forKey: String(name)) == nil else {
          throw LineFault("\(name) is given twice")
        }
      } else {
        wire.append(piece)
      }
    }
    self.wire = wire.joined(separator: ",")
    self.settings = settings
    form = try LineForm(ofForm)
    if self.wire.isEmpty { throw LineFault("it is empty") }
  }

  /// What the source will give. The streams are known if the settings name the values.
  /// - Parameter name: The name of the stream.
  func forecast(_ name: String, _ queue: KernelQueue?) -> SourceForecast {
    var forecast = SourceForecast(queue: queue)
    // A name may be followed by a unit.
    guard !form.names.isEmpty, !form.names.contains(where: { $0.contains("(") || $0.contains("[") }) else {
      return forecast
    }
    let names = form.names.filter { $0 != form.time }
    forecast.streams = [StreamDescription(name: name, channels: names.map { StreamDescription.Channel(name: $0) })]
    // CSV leaves out columns of text, and may name the time by its number.
    let isTimeNamed = form.time.map(form.names.contains) ?? true
    if isTimeNamed, form.kind == .numbers || names.count == 1 { forecast.certainty = .always }
    return forecast
  }

  /// Opens a wire, and waits for the first lines.
  /// - Parameter name: The name of the stream.
  func open(
    _ wire: any LineWire, name: String, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> [any ReadingSource] {
    var learner = LineLearner(form, stream: name, mayBeTorn: wire.mayBeTorn)
    return [
      try LineSource(
        wire,
        learn: { line throws(SluiceError) in
          if let line { learner.add(line) }
          return try learner.grammar(isLast: line == nil)
        }, hasOwnClock: form.time != nil, whenRemoved: settings.whenRemoved(wire.title, context.tell),
        tell: { [tell = context.tell] in tell(.notice($0)) },
        isInterrupted: context.isInterrupted)
    ]
  }
}

/// A kind of source whose readings are lines.
protocol LineSourceKind: SourceKind {
  /// The names of the wire's own settings.
  static var wireSettings: [String] { get }
  /// - Throws: The fault in words.
  init(_ text: LineText) throws(LineFault)
}

extension LineSourceKind {
  static var wireSettings: [String] { [] }
  package static var hasRoot: Bool { false }
  package static var isOfEvents: Bool { true }
  package static var keys: [SourceSettings.Key] { [.reconnect] }

  package init?(_ what: String) {
    guard let kind = try? Self(LineText(what, own: Self.wireSettings, isQuoted: Self.isQuoted)) else { return nil }
    self = kind
  }

  package static func reason(against what: String) -> String? {
    do throws(LineFault) {
      _ = try Self(LineText(what, own: Self.wireSettings, isQuoted: Self.isQuoted))
      return nil
    } catch {
      return "\(error.cause); \(name) takes \(form), such as \(example)"
    }
  }

  package static var ownSettings: [String] { wireSettings + LineForm.settings }
}
