import SluiceDevices
import SluiceReadings

/// Units of the kernel that differ from those of the SI by a power of ten: 48312 m°C is 48.312 °C.
enum KernelUnits {
  /// The message for each stream in such units, of all outputs.
  static func notices(of outputs: [[StreamDescription]]) -> [String] {
    var all: [String] = []
    for notice in outputs.flatMap(notices(of:)) where !all.contains(notice) { all.append(notice) }
    return all
  }

  /// The message for each stream in such units. It is needed because the metadata has the units, but the rows do not.
  private static func notices(of streams: [StreamDescription]) -> [String] {
    streams.compactMap { stream in
      var units: [(kernel: String, si: String)] = []
      for channel in stream.channels {
        guard let kernel = channel.unit, let si = channel.inSI.unit, kernel != si,
          !units.contains(where: { $0.kernel == kernel })
        else { continue }
        units.append((kernel, si))
      }
      guard !units.isEmpty else { return nil }
      return "\(stream.name): values are in \(listed(units.map(\.kernel))), as the kernel gives them; "
        + "the key si writes \(listed(units.map(\.si)))"
    }
  }
}
