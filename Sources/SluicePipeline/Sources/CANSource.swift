import Dispatch
import Sluice
@_spi(Preview) package import SluiceDevices
package import SluiceReadings

/// The frames of a CAN interface: `can:can0`, `can:can0,dbc=car.dbc,id=123+18FF0000/1FFF0000,fd,clock=hardware`.
package struct CANSource: SourceKind {
  package static let name = "can"
  package static let form = "INTERFACE[,dbc=FILE][,id=ID[/MASK]+...][,fd][,clock=hardware]"
  package static let example = "can0,dbc=car.dbc"
  package static let isOfEvents = true
  package static let keys: [SourceSettings.Key] = [.reconnect]
  package static let hasRoot = false

  package let interface: String
  package let options: CANOptions

  package init?(_ what: String) {
    let parts = what.split(separator: ",", omittingEmptySubsequences: false)
    interface = String(parts[0])
    // The kernel's dev_valid_name (net/core/dev.c).
    guard (1...15).contains(interface.utf8.count),
      !interface.contains(where: { $0 == "/" || $0 == ":" || $0.isWhitespace })
    else { return nil }
    var options = CANOptions()
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (pair[0], pair.count > 1 ? pair[1] : nil) {
      case ("dbc", let file?) where !file.isEmpty && options.dbc == nil: options.dbc = file
      case ("id", let text?) where options.filters.isEmpty:
        for text in text.split(separator: "+", omittingEmptySubsequences: false) {
          guard let filter = CANOptions.Filter(text) else { return nil }
          options.filters.append(filter)
        }
      case ("fd", nil): options.hasFD = true
      case ("clock", let text?):
        guard let clock = CANOptions.Clock(rawValue: text) else { return nil }
        options.clock = clock
      default: return nil
      }
    }
    self.options = options
  }

  package static func reason(against what: String) -> String? {
    "can takes \(form), such as \(example) or can0,id=123+18FF0000/1FFF0000; ID and MASK are hexadecimal: an ID of up to three digits has 11 bits, a longer one has 29"
  }

  package static func takes(_ name: String, _ value: String) -> Bool { ["dbc", "id", "clock"].contains(name) }

  package func inputs(_ roots: DeviceRoots) -> [String] { options.dbc.map { [$0] } ?? [] }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    SourceForecast(queue: CANOptions.kernelQueue)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    let frames = try Publishers.CANFrames(
      interface: interface, options: options, whenRemoved: settings.whenRemoved(interface, context.tell))
    if let leftOut = frames.leftOut { context.tell(.notice(leftOut)) }
    return [frames]
  }
}
