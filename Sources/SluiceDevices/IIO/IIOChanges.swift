import Sluice
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Changes a device, writing down each change before it is made, and undoes them all in reverse order.
final class IIOChanges {
  /// What an earlier recording had left on the device, and was put back first.
  let restored: [IIOState]
  private var state: IIOState
  private let file: IIOStateFile
  private var isUndone = false

  /// - Parameter purpose: What the device is changed for; its scans and its events are two recordings.
  init(of device: IIODevice, for purpose: String, roots: DeviceRoots) throws(SluiceError) {
    restored = try Self.restoreLeftovers(of: device.id, roots)
    file = try IIOStateFile(new: "\(roots.state)/\(device.id).\(purpose)")
    state = IIOState(device, path: file.path, roots: roots)
    try file.clear()
    try file.append(state.header)
  }

  deinit { undo() }

  /// Writes an attribute, and remembers what it was.
  func set(_ file: String, of folder: SysfsFolder, to value: String) throws(SluiceError) {
    let before = try folder.read(file)
    guard before != value else { return }
    let path = "\(folder.path)/\(file)".dropFirst(state.roots.iio.path.count + 1)
    try note(.attribute(path: String(path), before: before))
    try folder.write(file, value)
  }

  /// Lets scans and events carry the monotonic clock's time.
  /// - Returns: False where they carry the wall clock's.
  func setClock(of device: IIODevice) throws(SluiceError) -> Bool {
    let file = "current_timestamp_clock"
    guard device.folder.has(file) else { return false }
    do throws(SluiceError) {
      try set(file, of: device.folder, to: "monotonic")
    } catch {
      // While somebody listens to its events it stays as it is (`iio_device_set_clock` in industrialio-core.c).
      if error.code == .busy, try device.folder.read(file) == "realtime" { return false }
      throw error
    }
    return true
  }

  /// Makes a trigger that fires by a timer of the kernel's, at 100 Hz until it is told another rate
  /// (Documentation/iio/iio_configfs.rst).
  func makeHrtimer(_ name: String) throws(SluiceError) {
    let folder = IIOTriggers.hrtimers(state.roots)
    guard IIOChange.isName(name[...]) else {
      throw SluiceError(.usage, "make", "trigger \"\(name)\"", because: "a trigger cannot be called that")
    }
    guard !folder.has(name) else {
      throw SluiceError(
        "make", "trigger \(name)", errno: EEXIST, remedy: "use it with --trigger \(name), or take another name")
    }
    try note(.hrtimer(name: name))
    guard mkdir(folder.folder(name).path, 0o755) != 0 else { return }
    let remedy =
      switch errno {
      case ENOENT: "load the module iio-trig-hrtimer, and mount configfs at \(state.roots.sys)/kernel/config"
      case EACCES, EPERM: "run it as root, or name a trigger that is there"
      default: "name a trigger that is there"
      }
    throw SluiceError("make", folder.folder(name).path, errno: errno, remedy: remedy)
  }

  private func note(_ change: IIOChange) throws(SluiceError) {
    try file.append(change.line)
    state.append(change)
  }

  // MARK: Undoing

  /// Scans and events of one device share its clock, which neither can put back while the other runs: one at a time, the
  /// last one puts it back.
  private static let undoing = Locked(())

  /// Puts everything back. What cannot be, for now, stays in the file.
  func undo() {
    guard !isUndone else { return }
    isUndone = true
    Self.undoing.withLock { _ in
      let (left, _) = state.undo()
      if left.isEmpty {
        file.remove()
      } else {
        state.keep(left)
        try? file.clear()
        try? file.append(state.header + left.map(\.line).joined())
      }
      file.close()
      _ = try? Self.restoreLeftovers(of: nil, state.roots)
    }
  }

  /// - Parameter device: Nil means all: a trigger that several devices used goes with the last one.
  private static func restoreLeftovers(of device: String?, _ roots: DeviceRoots) throws(SluiceError) -> [IIOState] {
    let left = IIOState.leftovers(roots: roots).filter { device == nil || $0.device == device }
    for state in left { try state.restore() }
    return left
  }
}
