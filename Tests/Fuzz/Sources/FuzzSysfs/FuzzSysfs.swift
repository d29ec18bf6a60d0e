import Glibc
import Sluice
import SluiceReadings

@testable import SluiceDevices

/// The texts of the attributes of one device and of what a killed recording left, separated by bytes of 0: whatever they
/// say, the device is understood, set up and put back, or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let texts = UnsafeBufferPointer(start: start, count: count).split(separator: 0, omittingEmptySubsequences: false)
  for (index, file) in files.enumerated() {
    let path = "\(folder)/\(file)"
    guard index < texts.count else {
      unlink(path)
      continue
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, path)
    let text = Array(texts[index])
    precondition(write(descriptor, text, text.count) == text.count)
    close(descriptor)
  }
  let roots = DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run")
  if let device = try? IIODevice.find("0", roots: roots) {
    _ = device.samplingRate(roots: roots)
    _ = device.inputs
    precondition(device.channels.allSatisfy { $0.index >= 0 })
    let formats = device.channels.compactMap { channel in
      ScanFormat(channel.format).map { (index: channel.index, format: $0) }
    }
    _ = ScanLayout(channels: formats, timestamp: nil).size
    _ = try? device.events(named: device.events().map { "\($0.name)=7" })
    setUp(device, roots)
  }
  _ = try? Publishers.PolledAttribute.value("\(folder)/in_temp_raw")
  for state in IIOState.leftovers(roots: roots) { try? state.restore() }
  _ = HardwareMonitor.list(roots: roots)
  _ = ThermalZone.list(roots: roots)
  return 0
}

private func setUp(_ device: IIODevice, _ roots: DeviceRoots) {
  var options = IIOOptions()
  for (trigger, rate) in [(nil, nil), ("tick", "200"), ("made", "0.001")] as [(String?, String?)] {
    (options.trigger, options.samplingFrequency, options.makesTrigger) = (trigger, rate, trigger == "made")
    guard let capture = try? IIOCapture(device, channels: [], options: options, roots: roots) else { continue }
    precondition(capture.layout.size > 0 && capture.fifo.capacity >= 0 && capture.rate.map { $0 <= 1e9 } != false)
    var timing = ScanTiming(rate: capture.rate)
    for time in [0, .max, .min, 1] as [Int64] { _ = timing.add(time) { count, _ in precondition(count > 0) } }
    capture.tearDown()
  }
  _ = try? IIOEventCapture(device, events: [], roots: roots)
}

private let root: String = {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
  var template = Array("\(folder)/sluice-fuzz-XXXXXX".utf8CString)
  precondition(mkdtemp(&template) != nil)
  return String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

private let folder: String = {
  var path = root
  for name in ["sys", "bus", "iio", "devices", "iio:device0"] {
    path += "/\(name)"
    mkdir(path, 0o700)
  }
  for name in ["scan_elements", "buffer", "trigger", "events", "../trigger0"] { mkdir("\(path)/\(name)", 0o700) }
  var config = "\(root)/sys"
  for name in ["kernel", "config", "iio", "triggers", "hrtimer"] {
    config += "/\(name)"
    mkdir(config, 0o700)
  }
  mkdir("\(root)/dev", 0o700)
  close(open("\(root)/dev/iio:device0", O_WRONLY | O_CREAT, 0o600))
  for (place, device) in [("class/hwmon", "hwmon0"), ("class/thermal", "thermal_zone0")] {
    var target = "\(root)/sys"
    for name in place.split(separator: "/") {
      target += "/\(name)"
      mkdir(target, 0o700)
    }
    // The same attributes, as those of a sensor.
    symlink(path, "\(target)/\(device)")
  }
  mkdir("\(root)/run", 0o700)
  mkdir("\(root)/run/sluice", 0o700)
  return path
}()

private let files = [
  "scan_elements/in_voltage0_type", "scan_elements/in_voltage0_index", "in_voltage0_scale", "in_voltage_offset",
  "scan_elements/in_voltage0_en", "sampling_frequency", "sampling_frequency_available", "in_temp_raw", "name", "label",
  "temp1_input", "temp", "../../../../../run/sluice/iio:device0.scans",
  "buffer/enable", "buffer/length", "buffer/watermark", "scan_elements/in_timestamp_en",
  "scan_elements/in_timestamp_type", "scan_elements/in_timestamp_index", "current_timestamp_clock",
  "trigger/current_trigger", "../trigger0/name", "../trigger0/sampling_frequency",
  "events/in_voltage0_thresh_rising_en", "events/in_voltage0_thresh_rising_value",
]
