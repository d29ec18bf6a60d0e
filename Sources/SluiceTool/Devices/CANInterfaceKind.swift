import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The CAN interfaces. Every user may receive their frames.
struct CANInterfaceKind: DeviceKind {
  let name = "can"
  let title = "CAN"
  let sources: [any SourceKind.Type] = [CANSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    DeviceEntries(
      name, table: "CAN interfaces",
      CANInterface.list(roots: roots).map { interface in
        let (name, words) = (interface.name, interface.words)
        return DeviceEntries.Entry(
          text: [name, words],
          device: ListedDevice(name: name, what: words, source: interface.isUp ? "can:\(name)" : nil),
          sources: [ListedSource(CANSource.self, [name], words)], json: json(interface))
      })
  }

  private func json(_ interface: CANInterface) -> [(String, JSON)] {
    let link = interface.link
    func number(_ value: (some BinaryInteger)?) -> JSON { value.map { JSON(Int($0)) } ?? .null }
    return [
      ("name", .string(interface.name)), ("up", .bool(interface.isUp)), ("bit_rate", number(link?.bitRate)),
      ("data_bit_rate", number(link?.dataBitRate)), ("state", JSON(link?.state)),
      ("restart_ms", number(link?.restartDelay)), ("restarts", number(link?.restarts)),
      ("tx_errors", number(link?.txErrors)), ("rx_errors", number(link?.rxErrors)),
    ]
  }

  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    findings(CANInterface.list(roots: surroundings.roots))
  }

  func findings(_ interfaces: [CANInterface]) -> [Finding] {
    interfaces.map { interface in
      let meaning = "\(interface.name): \(interface.words)"
      guard interface.isUp else {
        let setting = interface.link == nil ? "" : " type can bitrate 500000, with the bit rate of the bus"
        return .warning(name, meaning, "ip link set \(interface.name) up\(setting)")
      }
      switch interface.link?.state {
      case "BUS-OFF":
        return .warning(
          name, meaning,
          "look at bit rate, wires and terminators; then ip link set \(interface.name) type can restart, or restart-ms 100 for always"
        )
      case "ERROR-WARNING", "ERROR-PASSIVE":
        return .warning(name, meaning, "look at bit rate, wires and terminators")
      default: return .ok(name, meaning)
      }
    }
  }
}

extension CANInterface {
  /// Its state in words: `500,000 bit/s, ERROR-ACTIVE, 0 restarts`.
  fileprivate var words: String {
    guard let link else { return "\(isUp ? "up" : "down"), virtual" }
    var words = [isUp ? "up" : "down"]
    words.append(link.bitRate == 0 ? "no bit rate" : "\(grouped(Int(link.bitRate))) bit/s")
    if let rate = link.dataBitRate { words.append("\(grouped(Int(rate))) bit/s of data") }
    if let state = link.state { words.append(state) }
    if let restarts = link.restarts { words.append("\(grouped(Int(restarts))) restart\(restarts == 1 ? "" : "s")") }
    if let tx = link.txErrors, let rx = link.rxErrors { words.append("error counters \(tx) and \(rx)") }
    return words.joined(separator: ", ")
  }
}
