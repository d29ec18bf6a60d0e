import SluiceDevices
import SluicePipeline
import SluiceReadings

extension Listing {
  /// Documented in docs/List.md: members are added, never renamed.
  var json: JSON {
    var members: [(String, JSON)] = []
    if let chips { members.append(("gpio", .array(chips.map(Self.json)))) }
    if let devices {
      members.append(("iio", .array(devices.map(Self.json))))
      members.append(("triggers", .array(triggers.map { .string($0) })))
    }
    if let monitors { members.append(("hwmon", .array(monitors.map(Self.json)))) }
    if let zones { members.append(("thermal", .array(zones.map(Self.json)))) }
    members.append(("failures", .array(failures.map { .string($0.description) })))
    return .object(members)
  }

  private static func json(_ chip: GPIOChipInfo) -> JSON {
    let lines = chip.lines.map { line in
      JSON.object([
        ("offset", JSON(Int(line.offset))), ("name", JSON(line.name)), ("consumer", JSON(line.consumer)),
        ("direction", .string(line.isOutput ? "output" : "input")), ("active_low", .bool(line.isActiveLow)),
        ("bias", .string(line.bias.rawValue)),
      ])
    }
    return .object([
      ("name", .string(chip.name)), ("path", .string(chip.path)), ("label", .string(chip.label)),
      ("lines", .array(lines)),
    ])
  }

  private static func json(_ device: IIODevice, rate: IIOSamplingRate?) -> JSON {
    let channels = device.channels.map {
      JSON.object([
        ("name", .string($0.name)), ("index", JSON($0.index)), ("unit", JSON($0.unit)), ("format", .string($0.format)),
        ("scale", json($0.scale)), ("offset", json($0.offset)),
      ])
    }
    let events = device.events().map {
      JSON.object([("name", .string($0.name)), ("value", JSON($0.value)), ("enabled", .bool($0.isEnabled))])
    }
    return .object([
      ("id", .string(device.id)), ("name", .string(device.name)), ("label", JSON(device.label)),
      ("trigger", JSON(device.trigger)), ("timestamp", .bool(device.hasTimestamp)),
      ("sampling_frequency", JSON(rate?.current)), ("sampling_frequency_available", JSON(rate?.available)),
      ("channels", .array(channels)), ("events", .array(events)), ("inputs", .array(device.inputs.map { .string($0) })),
    ])
  }

  private static func json(_ monitor: HardwareMonitor) -> JSON {
    let sensors = monitor.sensors.map {
      JSON.object([
        ("name", .string($0.name)), ("label", JSON($0.label)), ("unit", .string($0.unit)), ("value", json($0.value)),
        ("path", .string($0.path)),
      ])
    }
    return .object([("id", .string(monitor.id)), ("name", .string(monitor.name)), ("sensors", .array(sensors))])
  }

  private static func json(_ zone: ThermalZone) -> JSON {
    .object([
      ("id", .string(zone.id)), ("type", .string(zone.type)), ("unit", .string("m°C")), ("value", json(zone.value)),
      ("path", .string(zone.path)),
    ])
  }

  private static func json(_ value: ExactDecimal?) -> JSON {
    value.flatMap { $0.isMissing ? nil : .number($0.description) } ?? .null
  }
}
