public import SluiceReadings
import SluiceSystem

/// An IIO device as sysfs describes it.
public struct IIODevice: Hashable, Sendable {
  /// The kernel's name: `iio:device0`.
  public var id: String
  /// The name of the chip, `bmi160`.
  public var name: String
  /// The label from the board; nil if it has none.
  public var label: String?
  /// The channels that its buffer can contain, in the order of a scan; empty if it has no buffer.
  public var channels: [IIOChannel]
  /// Whether scans have timestamps.
  public var hasTimestamp: Bool
  /// The trigger in use.
  public var trigger: String?
  /// Whether a trigger can start it.
  public var takesTrigger: Bool
  /// The rate in Hz, as sysfs gives it; nil if the device has no such setting.
  public var samplingFrequency: String?
  let path: String

  var folder: SysfsFolder { SysfsFolder(path: path) }
  /// The folder for enabling channels. Newer kernels have one folder per buffer, older kernels two folders.
  var elements: SysfsFolder { folder.folder(folder.has("buffer0") ? "buffer0" : "scan_elements") }
  var buffer: SysfsFolder { folder.folder(folder.has("buffer0") ? "buffer0" : "buffer") }

  /// The kernel's names of all devices, in the order of their numbers, including devices with invalid descriptions.
  public static func ids(roots: DeviceRoots = DeviceRoots()) -> [String] {
    numberedEntries(roots.iio.path, "iio:device")
  }

  /// All devices, in the order of their numbers. Devices with invalid descriptions are left out.
  public static func list(roots: DeviceRoots = DeviceRoots()) -> [IIODevice] {
    ids(roots: roots).compactMap { try? IIODevice(id: $0, folder: roots.iio.folder($0)) }
  }

  /// Finds a device by id (`iio:device0`), number (`0`), name or label.
  /// - Throws: `SluiceError.Code.malformed` if its description is invalid.
  public static func find(_ name: String, roots: DeviceRoots = DeviceRoots()) throws(SluiceError) -> IIODevice {
    let ids = ids(roots: roots)
    var found = ids.filter { $0 == name || $0 == "iio:device\(name)" }
    if found.isEmpty {
      found = ids.filter { id in ["name", "label"].contains { roots.iio.readIfPresent("\(id)/\($0)") == name } }
    }
    if let id = found.first, found.count == 1 { return try IIODevice(id: id, folder: roots.iio.folder(id)) }
    guard found.isEmpty else {
      throw SluiceError(
        .usage, "open", "IIO device \(name)", because: "\(found.count) devices have that name",
        remedy: "name one of \(found.joined(separator: ", "))")
    }
    let known = ids.map { "\($0) (\(roots.iio.readIfPresent("\($0)/name") ?? $0))" }.joined(separator: ", ")
    throw SluiceError(
      .notFound, "open", "IIO device \(name)", because: "there is no such device",
      remedy: known.isEmpty ? "this machine has no IIO device" : "there is \(known)")
  }

  init(id: String, folder: SysfsFolder) throws(SluiceError) {
    self.id = id
    path = folder.path
    name = folder.readIfPresent("name") ?? id
    label = folder.readIfPresent("label")
    takesTrigger = folder.folder("trigger").has("current_trigger")
    trigger = folder.folder("trigger").readIfPresent("current_trigger").flatMap { $0.isEmpty ? nil : $0 }
    channels = []
    hasTimestamp = false
    for file in elements.entries where file.hasPrefix("in_") && file.hasSuffix("_en") {
      let element = String(file.dropLast("_en".count))
      if element == "in_timestamp" {
        hasTimestamp = true
      } else {
        channels.append(try IIOChannel(element: element, elements: elements, device: folder))
      }
    }
    channels.sort { $0.index < $1.index }
    samplingFrequency =
      samplingFrequencyFiles(trigger: nil, channels: channels).lazy
      .compactMap { $0.folder.readIfPresent($0.file) }.first
  }

  /// Name and id, for errors.
  var title: String { "\(name) (\(id))" }

  /// The identity of the device, independent of its number.
  func identity(_ roots: DeviceRoots) -> StreamDescription.Device {
    StreamDescription.Device(
      path: "\(roots.dev)/\(id)", bus: folder.busIdentity, label: label, name: name == id ? nil : name)
  }

  /// Opens its character device. The kernel allows only one program at a time to open it.
  func open(_ roots: DeviceRoots) throws(SluiceError) -> Int32 {
    try openDevice(
      "\(roots.dev)/\(id)", denied: "run it as root, or let a udev rule give it to your group",
      busy: "another program reads \(title); stop that first")
  }

  /// The channels with these names, or all channels.
  func channels(named names: [String]) throws(SluiceError) -> [IIOChannel] {
    guard !channels.isEmpty else {
      throw SluiceError(
        .unsupported, "record", title, because: "it has no buffer",
        remedy: "read its *_raw files with the kind poll")
    }
    if names.isEmpty { return channels }
    var found: [IIOChannel] = []
    for name in names {
      guard let channel = channels.first(where: { $0.name == name || $0.element == name }) else {
        throw SluiceError(
          .notFound, "record", "channel \(name) of \(self.name)", because: "there is no such channel",
          remedy: "its channels are \(channels.map(\.name).joined(separator: ", "))")
      }
      if !found.contains(channel) { found.append(channel) }
    }
    return found
  }
}
