package import SluiceDevices
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Lines of standard input, a FIFO or a file: `lines:-`, `lines:/run/sensor.fifo,as=csv`.
package struct LinesSource: LineSourceKind {
  package static let name = "lines"
  package static let form = "-|PATH" + LineForm.form
  package static let example = "/run/sensor.fifo,as=csv"

  let text: LineText

  init(_ text: LineText) { self.text = text }

  package func inputs(_ roots: DeviceRoots) -> [String] { text.wire == "-" ? [] : [text.wire] }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    text.forecast(name, .sender)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    try text.open(FileWire(text.wire), name: name, settings, context)
  }

  private var name: String { text.wire == "-" ? "stdin" : Self.stem(text.wire) }

  /// The name of a file without its ending.
  static func stem(_ path: String) -> String {
    let name = fileName(of: path)
    return name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : String(name[..<$0]) } ?? name
  }
}
