import SluiceReadings
import SluiceSystem

/// An open input device.
final class InputSession: DeviceSession {
  let device: InputDevice
  let codes: [InputCode]
  /// The number of contacts that the device tells apart; 0 if it does not have slots.
  private(set) var slots = 0
  private(set) var descriptor: Int32
  private let request: DeviceRequest
  private var axes: [InputCode: Axis] = [:]

  /// `struct input_absinfo` of include/uapi/linux/input.h.
  private struct Axis {
    var value, minimum, maximum, fuzz, flat, resolution: Int32
  }

  init(
    _ device: InputDevice, codes names: [String], _ roots: DeviceRoots, _ request: @escaping DeviceRequest
  ) throws(SluiceError) {
    (self.device, self.request) = (device, request)
    codes = try device.codes(named: names)
    descriptor = try device.open(roots)
    // `EVIOCSCLOCKID`, `_IOW('E', 0xa0, int)`. It comes first: if there are events, it leaves a SYN_DROPPED behind that can
    // be read only with the next event.
    var clock = CLOCK_MONOTONIC
    guard request(descriptor, 0x4004_45a0, &clock) >= 0 else {
      throw SluiceError(
        "set the clock (EVIOCSCLOCKID) of", device.path(roots), errno: errno, remedy: SysfsFolder.driverRemedy)
    }
    for code in codes where code.type == .abs { axes[code] = axis(code) }
    if device.codes.contains(.slot), let slot = axis(.slot) { slots = Int(min(max(slot.maximum, 0), 255)) + 1 }
    // Events that came before have the times of another clock, unless the kernel has dropped them.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while let count = try? readBytes(descriptor, into: &bytes), count > 0 {}
  }

  deinit { tearDown() }

  var title: String { device.title }

  func tearDown() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }

  /// `_IOR('E', number, char[size])`.
  private static func read(_ number: UInt8, _ size: Int) -> UInt {
    0x8000_4500 | UInt(size & 0x3fff) << 16 | UInt(number)
  }

  /// The stream of a key, an axis or a switch. The resolution of an axis is in steps per millimetre, or per
  /// radian.
  func stream(_ code: InputCode, _ roots: DeviceRoots) -> StreamDescription {
    var value = StreamDescription.Channel(name: "value")
    if let resolution = axes[code]?.resolution, resolution > 0,
      let unit = code.unit(isAccelerometer: device.isAccelerometer)
    {
      (value.unit, value.scale) = (unit, ExactDecimal(reciprocalOf: resolution))
    }
    let slot = code.isOfContact && slots > 0 ? [StreamDescription.Channel(name: "slot")] : []
    return StreamDescription(
      name: "\(device.name):\(code.name)", channels: [value] + slot, device: device.identity(roots))
  }

  /// The state of each of the codes that have one; of an axis of contacts, that of each slot.
  ///
  /// When the kernel gives the state of keys or of switches, it removes the events of this type from its queue, because
  /// they are older (`evdev_handle_get_val` in drivers/input/evdev.c).
  func states() -> [(place: Int, slot: Int32, value: Int32)] {
    // `EVIOCGKEY` and `EVIOCGSW`.
    let bits: [InputEventType: [UInt8]?] = [.key: bits(0x18), .sw: bits(0x1b)]
    var states: [(place: Int, slot: Int32, value: Int32)] = []
    for (place, code) in codes.enumerated() {
      let number = Int(code.number)
      if code.isOfContact, slots > 0 {
        for (slot, value) in contacts(code).enumerated() { states.append((place, Int32(slot), value)) }
      } else if code.type == .abs {
        if let axis = axis(code) { states.append((place, 0, axis.value)) }
      } else if let bits = bits[code.type] ?? nil, number / 8 < bits.count {
        states.append((place, 0, Int32(bits[number / 8] >> (number % 8) & 1)))
      }
    }
    return states
  }

  /// `EVIOCGABS`.
  private func axis(_ code: InputCode) -> Axis? {
    var axis = Axis(value: 0, minimum: 0, maximum: 0, fuzz: 0, flat: 0, resolution: 0)
    return request(descriptor, Self.read(0x40 + UInt8(code.number), 24), &axis) < 0 ? nil : axis
  }

  private func bits(_ number: UInt8) -> [UInt8]? {
    var bits = [UInt8](repeating: 0, count: 96)
    return request(descriptor, Self.read(number, bits.count), &bits) < 0 ? nil : bits
  }

  /// `EVIOCGMTSLOTS`: a code, and the value of each slot.
  private func contacts(_ code: InputCode) -> ArraySlice<Int32> {
    var values = [Int32](repeating: 0, count: slots + 1)
    values[0] = Int32(code.number)
    return request(descriptor, Self.read(0x0a, values.count * 4), &values) < 0 ? [] : values[1...]
  }

  /// The contact of the next values.
  var slot: Int32 { slots > 0 ? axis(.slot)?.value ?? 0 : 0 }
}
