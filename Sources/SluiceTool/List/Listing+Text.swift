import SluiceDevices
import SluicePipeline
import SluiceReadings

extension Listing {
  /// A block of lines for each device.
  var text: String {
    var blocks: [[String]] = []
    blocks += (chips ?? []).map(Self.block)
    blocks += (devices ?? []).map(block)
    if !triggers.isEmpty { blocks.append(["triggers: \(triggers.joined(separator: ", "))"]) }
    blocks += (monitors ?? []).map(Self.block)
    if let zones, !zones.isEmpty {
      let rows = zones.map { ["  \($0.id)", $0.type, Self.text($0.value), "m°C", $0.path] }
      let header = ["  zone", "type", "value", "unit", "poll"]
      blocks.append(["thermal zones"] + table([header] + rows, numbers: { $0 == 2 }))
    }
    if blocks.isEmpty { blocks.append(["no device; 'sluice record --timer 1ms' needs none"]) }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func block(_ chip: GPIOChipInfo) -> [String] {
    let rows = chip.lines.map { line in
      [
        "  \(line.offset)", line.name ?? "-", line.isOutput ? "output" : "input", line.bias.rawValue,
        line.isActiveLow ? "active low" : "active high", line.consumer ?? "-",
      ]
    }
    return ["\(chip.name) [\(chip.label)] \(count(chip.lines.count, "line"))"]
      + table([["  line", "name", "direction", "bias", "polarity", "used by"]] + rows)
  }

  private func block(_ device: IIODevice, rate: IIOSamplingRate?) -> [String] {
    var title = "\(device.id) [\(device.name)]"
    if let label = device.label { title += " label \(label)" }
    title += device.channels.isEmpty ? ", no buffer" : ", \(Self.count(device.channels.count, "channel"))"
    if device.hasTimestamp { title += ", timestamp" }
    if let trigger = device.trigger {
      title += ", trigger \(trigger)"
    } else if device.takesTrigger {
      title += ", no trigger (--trigger)"
    }
    var lines = [title]
    if let rate {
      lines.append("  rate \(rate.current) Hz" + (rate.available.map { ", available: \($0)" } ?? ""))
    }
    if !device.channels.isEmpty {
      let rows = device.channels.map {
        ["  \($0.name)", $0.unit ?? "-", $0.format, Self.text($0.scale), Self.text($0.offset)]
      }
      lines += table([["  channel", "unit", "format", "scale", "offset"]] + rows, numbers: { $0 > 2 })
    }
    lines += device.events().map { event in
      "  event \(event.name)" + (event.value.map { " at \($0)" } ?? "") + (event.isEnabled ? ", enabled" : "")
    }
    return lines + device.inputs.map { "  poll \($0)" }
  }

  private static func block(_ monitor: HardwareMonitor) -> [String] {
    let rows = monitor.sensors.map { ["  \($0.name)", $0.label ?? "-", text($0.value), $0.unit, $0.path] }
    return ["\(monitor.id) [\(monitor.name)] \(count(monitor.sensors.count, "sensor"))"]
      + (rows.isEmpty ? [] : table([["  sensor", "label", "value", "unit", "poll"]] + rows, numbers: { $0 == 2 }))
  }

  private static func count(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  private static func text(_ value: ExactDecimal?) -> String {
    value.flatMap { $0.isMissing ? nil : $0.description } ?? "-"
  }
}
