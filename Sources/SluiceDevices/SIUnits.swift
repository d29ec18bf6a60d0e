public import SluiceReadings

extension StreamDescription.Channel {
  /// The same channel in units of the SI, where the kernel's differ from them by a power of ten: mV become V, and the
  /// scale a thousandth of what it was, exactly.
  ///
  /// ```swift
  /// let channel = StreamDescription.Channel(name: "temp", unit: "m°C")
  /// channel.inSI.unit   // °C
  /// channel.inSI.scale  // 0.001
  /// ```
  ///
  /// Degrees and percent, which may be used with the SI, stay.
  public var inSI: Self {
    guard let unit, let (si, power) = Self.si[unit] else { return self }
    let exponent = Int(scale.exponent) + power
    guard (-100...100).contains(exponent) else { return self }
    var channel = self
    channel.unit = si
    channel.scale.exponent = Int8(exponent)
    return channel
  }

  /// What one of the kernel's units is: a unit of the SI times a power of ten.
  private static let si: [String: (unit: String, power: Int)] = [
    "mV": ("V", -3), "mA": ("A", -3), "mW": ("W", -3), "uW": ("W", -6), "uJ": ("J", -6), "m°C": ("°C", -3),
    "kPa": ("Pa", 3), "m%": ("%", -3), "Gauss": ("T", -4), "nF": ("F", -9), "ug/m^3": ("kg/m^3", -9), "ns": ("s", -9),
  ]
}
