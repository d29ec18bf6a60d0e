import ArgumentParser
import SluiceDevices
import SluiceRecording

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the devices that can be recorded, with their lines and channels.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let listing = Listing(chips: GPIOChips.list(), devices: IIODevice.list(), triggers: IIOTriggers.names())
    try reportingErrors { try printOutput(json ? listing.json : listing.text) }
    let closed = GPIOChips.paths().count - listing.chips.count
    if closed > 0 {
      printLine("sluice: \(closed) GPIO chips could not be opened; see ls -l /dev/gpiochip*")
    }
  }
}

/// What `sluice list` found, as a table or as JSON.
struct Listing {
  var chips: [GPIOChipInfo]
  var devices: [IIODevice]
  var triggers: [String]

  var text: String {
    var lines: [String] = []
    for chip in chips {
      lines.append("\(chip.name) [\(chip.label)] \(chip.lines.count) lines")
      for line in chip.lines {
        let use = line.consumer.map { "used by \($0)" } ?? "free"
        let polarity = line.isActiveLow ? ", active low" : ""
        lines.append(
          "  \(padded(String(line.offset), 4)) \(padded(line.name ?? "-", 24)) \(line.isOutput ? "output" : "input "), \(use)\(polarity)"
        )
      }
    }
    for device in devices {
      let rate = device.samplingFrequency.map { ", \($0) Hz" } ?? ""
      let trigger = device.trigger.map { ", trigger \($0)" } ?? ""
      lines.append("\(device.id) [\(device.name)] \(device.channels.count) channels\(rate)\(trigger)")
      for channel in device.channels {
        lines.append(
          "  \(padded(channel.name, 24)) \(padded(channel.unit ?? "-", 8)) \(padded(channel.format, 16)) scale \(channel.scale), offset \(channel.offset)"
        )
      }
    }
    if !triggers.isEmpty { lines.append("triggers: \(triggers.joined(separator: ", "))") }
    if lines.isEmpty { lines.append("no GPIO chip and no IIO device; 'sluice record --timer 1ms' needs neither") }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: String {
    func optional(_ text: String?) -> String { text.map(quoted) ?? "null" }
    let chips = chips.map { chip in
      let lines = chip.lines.map {
        """
        {"offset": \($0.offset), "name": \(optional($0.name)), "consumer": \(optional($0.consumer)), \
        "direction": "\($0.isOutput ? "output" : "input")", "active_low": \($0.isActiveLow)}
        """
      }
      return """
        {"name": \(quoted(chip.name)), "path": \(quoted(chip.path)), "label": \(quoted(chip.label)), \
        "lines": [\(lines.joined(separator: ", "))]}
        """
    }
    let devices = devices.map { device in
      let channels = device.channels.map {
        """
        {"name": \(quoted($0.name)), "unit": \(optional($0.unit)), "format": \(quoted($0.format)), \
        "scale": \($0.scale), "offset": \($0.offset)}
        """
      }
      return """
        {"id": \(quoted(device.id)), "name": \(quoted(device.name)), "label": \(optional(device.label)), \
        "trigger": \(optional(device.trigger)), "sampling_frequency": \(optional(device.samplingFrequency)), \
        "channels": [\(channels.joined(separator: ", "))]}
        """
    }
    return """
      {"gpio": [\(chips.joined(separator: ", "))], "iio": [\(devices.joined(separator: ", "))], \
      "triggers": [\(triggers.map(quoted).joined(separator: ", "))]}

      """
  }
}
