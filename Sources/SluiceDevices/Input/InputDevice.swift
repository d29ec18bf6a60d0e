package import SluiceReadings
import SluiceSystem

/// An input device as sysfs describes it: buttons, a rotary encoder, a touchscreen.
package struct InputDevice: Equatable, Sendable {
  /// The kernel's name: `event3`.
  package let id: String
  /// The name from its driver, such as `gpio-keys`.
  package let name: String
  /// Where it is connected, such as `usb-0000:00:14.0-1/input0`; nil if it does not say.
  package let physical: String?
  /// Its keys, axes and switches.
  package let codes: [InputCode]
  private let folder: SysfsFolder

  /// All devices, in the order of their numbers.
  package static func list(roots: DeviceRoots = DeviceRoots()) -> [InputDevice] {
    let all = SysfsFolder(path: "\(roots.sys)/class/input")
    return numberedEntries(all.path, "event").map { InputDevice($0, all.folder("\($0)/device")) }
  }

  /// Finds a device by its name, by `event3`, or by the path of its file.
  package static func find(_ text: String, roots: DeviceRoots = DeviceRoots()) throws(SluiceError) -> InputDevice {
    let all = list(roots: roots)
    let id = deviceName(text)
    let found = all.first { $0.id == id }.map { [$0] } ?? all.filter { $0.name == text }
    if found.count == 1 { return found[0] }
    func titles(_ devices: [InputDevice]) -> String { devices.map(\.title).joined(separator: ", ") }
    guard found.isEmpty else {
      throw SluiceError(
        .usage, "open", "input device \(text)", because: "\(found.count) devices have that name",
        remedy: "name one of \(titles(found)) by its event")
    }
    throw SluiceError(
      .notFound, "open", "input device \(text)", because: "there is no such device",
      remedy: all.isEmpty ? "this machine has no input device" : "there is \(titles(all))")
  }

  private init(_ id: String, _ folder: SysfsFolder) {
    self.id = id
    self.folder = folder
    name = folder.readIfPresent("name") ?? id
    physical = folder.readIfPresent("phys").flatMap { $0.isEmpty ? nil : $0 }
    codes = InputEventType.allCases.flatMap { type in
      Self.bits(folder.readIfPresent("capabilities/\(type)") ?? "").map { InputCode(type: type, number: $0) }
    }
  }

  /// The numbers of the bits that are set in words of the kernel's `long`, the highest one first
  /// (`input_print_bitmap` in drivers/input/input.c).
  private static func bits(_ text: String) -> [UInt16] {
    let words = text.split(separator: " ").reversed().map { UInt($0, radix: 16) ?? 0 }
    let count = min(words.count * UInt.bitWidth, 0x300)
    return (0..<count).filter { words[$0 / UInt.bitWidth] >> UInt($0 % UInt.bitWidth) & 1 == 1 }.map { UInt16($0) }
  }

  /// Whether its axes are those of an accelerometer, with other units (`INPUT_PROP_ACCELEROMETER`).
  var isAccelerometer: Bool { Self.bits(folder.readIfPresent("properties") ?? "").contains(6) }

  /// Name and id, for errors.
  var title: String { "\(id) (\(name)\(physical.map { ", \($0)" } ?? ""))" }

  func identity(_ roots: DeviceRoots) -> StreamDescription.Device {
    StreamDescription.Device(path: path(roots), bus: folder.busIdentity, label: physical, name: name)
  }

  package func path(_ roots: DeviceRoots) -> String { "\(roots.dev)/input/\(id)" }

  func open(_ roots: DeviceRoots) throws(SluiceError) -> Int32 {
    try openDevice(
      path(roots),
      denied: "add yourself to the group input (sudo usermod --append --groups input USER) and log in again")
  }

  /// The keys, axes and switches with these names; all of them if there is none.
  func codes(named names: [String]) throws(SluiceError) -> [InputCode] {
    let all = codes.filter { !($0 == .slot && codes.contains(where: \.isOfContact)) }
    guard !all.isEmpty else {
      throw SluiceError(
        .unsupported, "record", title, because: "it has no keys, axes or switches", remedy: "choose another device")
    }
    var found: [InputCode] = []
    for name in names {
      guard let code = all.first(where: { $0.name == name }) else {
        throw SluiceError(
          .notFound, "record", "\(name) of \(title)", because: "it has no such key, axis or switch",
          remedy: "it has \(all.map(\.name).joined(separator: ", "))")
      }
      if !found.contains(code) { found.append(code) }
    }
    return names.isEmpty ? all : found
  }
}
