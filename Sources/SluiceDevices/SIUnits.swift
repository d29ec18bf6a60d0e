public import SluiceReadings

extension StreamDescription.Channel {
  /// The same channel in SI units, if the kernel's unit differs by a power of ten. mV become V, and the scale becomes a
  /// thousandth of its value, exactly.
  ///
  /// ```swift
  /// let channel = StreamDescription.Channel(name: "temp", unit: "m°C")
  /// channel.inSI.unit   // °C
  /// channel.inSI.scale  // 0.001
  /// ```
  ///
  /// Degrees and percent may be used with the SI, so they stay.
  public var inSI: Self {
    guard let unit, let (si, power) = Self.si[unit] else { return self }
    let exponent = Int(scale.exponent) + power
    guard (-100...100).contains(exponent) else { return self }
    var channel = self
    channel.unit = si
    channel.scale.exponent = Int8(exponent)
    return channel
  }

  /// Units of the kernel: the SI unit, and the power of ten to multiply by.
  private static let si: [String: (unit: String, power: Int)] = [
    "mV": ("V", -3), "mA": ("A", -3), "mW": ("W", -3), "uW": ("W", -6), "uJ": ("J", -6), "m°C": ("°C", -3),
    "kPa": ("Pa", 3), "m%": ("%", -3), "Gauss": ("T", -4), "nF": ("F", -9), "ug/m^3": ("kg/m^3", -9), "ns": ("s", -9),
  ]
}
