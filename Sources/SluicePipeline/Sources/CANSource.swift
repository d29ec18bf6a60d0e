import Dispatch
import Sluice
package import SluiceDevices
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
    guard let text = OwnSettings(what, names: Self.ownSettings, flags: Self.ownFlags) else { return nil }
    interface = text.what
    // The kernel's dev_valid_name (net/core/dev.c).
    guard (1...15).contains(interface.utf8.count),
      !interface.contains(where: { $0 == "/" || $0 == ":" || $0.isWhitespace })
    else { return nil }
    var options = CANOptions()
    (options.dbc, options.hasFD) = (text["dbc"], text.has("fd"))
    if options.dbc == "" { return nil }
    for id in text["id"]?.split(separator: "+", omittingEmptySubsequences: false) ?? [] {
      guard let filter = CANOptions.Filter(id) else { return nil }
      options.filters.append(filter)
    }
    if let name = text["clock"] {
      guard let clock = CANOptions.Clock(rawValue: name) else { return nil }
      options.clock = clock
    }
    self.options = options
  }

  package static func reason(against what: String) -> String? {
    "can takes \(form), such as \(example) or can0,id=123+18FF0000/1FFF0000; ID and MASK are hexadecimal: an ID of up to three digits has 11 bits, a longer one has 29"
  }

  package static let ownSettings = ["dbc", "id", "clock"]
  package static let ownFlags = ["fd"]

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
