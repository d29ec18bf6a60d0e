import SluiceDevices

/// What the kernel was built with, loads and mounts.
enum KernelCheck {
  static let name = "kernel"

  static func findings(_ surroundings: Surroundings, library: String?) -> [Finding] {
    let devices = IIODevice.ids(roots: surroundings.roots)
    return [gpio(surroundings, library: library), iio(surroundings, devices)]
      + (devices.isEmpty ? [] : [trigger(surroundings)])
  }

  private static func gpio(_ surroundings: Surroundings, library: String?) -> Finding {
    let chips = GPIOChips.paths(root: surroundings.roots.dev)
    guard !chips.isEmpty else {
      let devices = "\(surroundings.roots.sys)/bus/gpio/devices"
      if surroundings.exists("\(devices)/gpiochip0") {
        return .problem(
          name, "there are GPIO chips (\(devices)) without device files",
          "the kernel needs CONFIG_GPIO_CDEV, and /dev a devtmpfs")
      }
      return .warning(
        name, "there is no GPIO chip: nothing for --gpio", "load its driver, or try gpio-sim: docs/RaspberryPi.md")
    }
    guard let versions = chips.lazy.compactMap(surroundings.interfaceVersions).first else {
      let release = Surroundings.word("\(surroundings.proc)/sys/kernel/osrelease") ?? "unknown"
      return .warning(
        name, "no GPIO chip could be asked; Linux \(release) has \(hasV2(release) ? "" : "not yet ")GPIO interface v2",
        "see permissions")
    }
    let known = "GPIO interface " + versions.map { "v\($0)" }.joined(separator: " and ")
    guard let library, let major = library.split(separator: ".").first.flatMap({ Int($0) }) else {
      return .ok(name, known)
    }
    if versions.contains(major) { return .ok(name, "\(known): libgpiod \(library) needs v\(major)") }
    let remedy =
      major == 1 ? "the kernel needs CONFIG_GPIO_CDEV_V1, or build with libgpiod 2" : "the kernel must be 5.10 or newer"
    return .problem(
      name, (versions.isEmpty ? "no GPIO interface" : known) + ", but libgpiod \(library) needs v\(major)", remedy)
  }

  /// Version 2 of the GPIO interface came with Linux 5.10.
  static func hasV2(_ release: String) -> Bool {
    let numbers = release.split { !$0.isNumber }.prefix(2).map { Int($0) ?? 0 }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 10)
  }

  private static func iio(_ surroundings: Surroundings, _ devices: [String]) -> Finding {
    guard !devices.isEmpty else {
      return .warning(
        name, "there is no IIO device: nothing for --iio", "load the sensor's driver: docs/RaspberryPi.md")
    }
    let buffered = devices.filter { id in
      ["buffer0", "buffer"].contains { surroundings.exists("\(surroundings.roots.sys)/bus/iio/devices/\(id)/\($0)") }
    }
    guard !buffered.isEmpty else {
      return .warning(
        name, "no IIO device has a buffer: their files can be polled, scans cannot be recorded",
        "a kernel with CONFIG_IIO_BUFFER, and a driver that has one")
    }
    return .ok(name, "IIO buffers of \(buffered.joined(separator: ", "))")
  }

  /// Documentation/iio/iio_configfs.rst
  private static func trigger(_ surroundings: Surroundings) -> Finding {
    let configfs = "\(surroundings.roots.sys)/kernel/config"
    if surroundings.exists("\(configfs)/iio/triggers/hrtimer") {
      return .ok(name, "IIO triggers of any rate can be made (iio-trig-hrtimer)")
    }
    let meaning = "no IIO trigger can be made: only those of the devices can start scans"
    guard surroundings.exists("\(configfs)/iio") else {
      return .warning(
        name, meaning, "sudo modprobe iio-trig-hrtimer; sudo mount -t configfs none \(configfs), if it is empty")
    }
    return .warning(name, meaning, "sudo modprobe iio-trig-hrtimer")
  }
}
