package import SluiceDevices
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Lines of a serial port: `serial:/dev/ttyUSB0@115200`.
package struct SerialSource: LineSourceKind {
  package static let name = "serial"
  package static let form = "PORT[@RATE][,frame=8N1][,dtr=on|off][,rts=on|off]" + LineForm.form
  package static let example = "/dev/ttyUSB0@115200"
  static let wireSettings = ["frame", "dtr", "rts"]

  /// That of Arduino's examples, and of many meters and modems. A port that is USB all the way takes any.
  private static let standardRate: Int? = 9_600

  private let text: LineText
  private let path: String
  private let settings: SerialWire.Settings

  init(_ text: LineText) throws(LineFault) {
    let at = text.wire.lastIndex(of: "@")
    let named = at.map { Int(text.wire[$0...].dropFirst()) } ?? Self.standardRate
    guard at != text.wire.startIndex, let rate = named, rate > 0 else {
      throw LineFault("it is not a port, and its rate in bits per second")
    }
    guard SerialWire.Settings.rates.contains(where: { $0.rate == rate }) else {
      let near = SerialWire.Settings.rates.min { abs($0.rate - rate) < abs($1.rate - rate) }
      throw LineFault("\(rate) is not a rate that Linux names; the nearest one is \(near?.rate ?? 9_600)")
    }
    var settings = SerialWire.Settings(rate: rate)
    if let frame = text.settings["frame"] {
      guard SerialWire.Settings.isFrame(frame) else {
        throw LineFault("frame takes data bits, parity and stop bits, such as 8N1 or 7E1, not \"\(frame)\"")
      }
      settings.frame = frame
    }
    settings.dtr = try Self.flag("dtr", text)
    settings.rts = try Self.flag("rts", text)
    (self.text, self.settings) = (text, settings)
    path = String(text.wire[..<(at ?? text.wire.endIndex)])
  }

  private static func flag(_ name: String, _ text: LineText) throws(LineFault) -> Bool? {
    switch text.settings[name] {
    case nil: return nil
    case "on"?: return true
    case "off"?: return false
    case let other?: throw LineFault("\(name) takes on or off, not \"\(other)\"")
    }
  }

  package func inputs(_ roots: DeviceRoots) -> [String] { [path] }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    text.forecast(fileName(of: path), self.settings.kernelQueue)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let name = fileName(of: path)
    return try text.open(SerialWire(path, self.settings), name: name, settings, context)
  }
}
