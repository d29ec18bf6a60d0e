import Sluice
import SluiceReadings
import SluiceSystem

/// Changes a device. Each change is first written to the state file. All changes are undone in reverse order.
final class IIOChanges {
  /// State of earlier recordings that was restored first. Changes that must wait for the end of another recording are
  /// not included.
  let restored: [IIOState]
  private var state: IIOState
  private let file: IIOStateFile
  private var isUndone = false

  /// - Parameter purpose: The purpose of the changes. Scans and events of a device are two recordings.
  init(of device: IIODevice, for purpose: String, roots: DeviceRoots) throws(SluiceError) {
    let left = IIOState.leftovers(roots: roots)
    for state in left where state.device == device.id { try state.checkUnused() }
    restored = Self.undoing.withLock { _ in IIOState.restoreAll(roots: roots) }
      .filter { now in !left.contains { $0.path == now.path && $0.changes == now.changes } }
    file = try IIOStateFile(new: "\(roots.state)/\(device.id).\(purpose)")
    state = IIOState(device, in: file, roots: roots)
    try file.clear()
    try file.append(state.text)
  }

  deinit { undo() }

  /// Writes an attribute of the device, and notes its value before.
  func set(_ file: String, of folder: SysfsFolder, to value: String) throws(SluiceError) {
    let before = try folder.read(file)
    guard before != value else { return }
    try note(attribute(file, folder, before))
    try folder.write(file, value)
  }

  /// Notes the value of an attribute that the driver may change when another attribute is set.
  func keep(_ file: String, of folder: SysfsFolder) throws(SluiceError) {
    try note(attribute(file, folder, try folder.read(file)))
  }

  private func attribute(_ file: String, _ folder: SysfsFolder, _ before: String) -> IIOChange {
    .attribute(path: String("\(folder.path)/\(file)".dropFirst(state.roots.iio.path.count + 1)), before: before)
  }

  /// Sets a rate. The driver may round it.
  /// - Parameter trigger: The trigger with the rate; nil if the device has it.
  /// - Throws: ``SluiceError/Code/busy`` if another device is being read at another rate with the same trigger.
  func setRate(_ file: String, of folder: SysfsFolder, trigger: String?, to value: String) throws(SluiceError) {
    let (before, rate) = try folder.rate(file)
    let wanted = Double(value)
    guard rate != wanted else { return }
    guard let trigger else {
      try note(attribute(file, folder, before))
      return try folder.write(file, value)
    }
    if let reader = IIOTriggers.readers(of: trigger, but: state.device, roots: state.roots).first {
      // The rate as it was rounded for the other device.
      if let wanted, abs(rate - wanted) <= 0.01 * rate { return }
      throw SluiceError(
        .busy, "set", "the rate of trigger \(trigger) to \(value)",
        because: "\(reader) is being read with it, at \(before) Hz",
        remedy: "stop that, leave out the key sample-rate, or take another trigger")
    }
    try note(.rate(trigger: trigger, before: before))
    try folder.write(file, value)
  }

  /// Sets the clock of scans and events to the monotonic clock.
  /// - Returns: False if it stays the wall clock.
  func setClock(of device: IIODevice) throws(SluiceError) -> Bool {
    let file = "current_timestamp_clock"
    guard device.folder.has(file) else { return false }
    do throws(SluiceError) {
      try set(file, of: device.folder, to: "monotonic")
    } catch {
      // The clock cannot change while a program listens to the events (`iio_device_set_clock` in industrialio-core.c).
      if error.code == .busy, try device.folder.read(file) == "realtime" { return false }
      throw error
    }
    return true
  }

  /// Creates a trigger with a timer of the kernel. Its rate is 100 Hz until another rate is set
  /// (Documentation/iio/iio_configfs.rst).
  func makeHrtimer(_ name: String) throws(SluiceError) {
    let folder = IIOTriggers.hrtimers(state.roots)
    guard IIOChange.isName(name[...]) else {
      throw SluiceError(
        .usage, "make", "trigger \"\(name)\"", because: "a trigger cannot be called that",
        remedy: "name it without / and white space")
    }
    guard !folder.has(name) else {
      // An earlier recording created it, and could not remove it because another device uses it.
      guard isLeft(.hrtimer(name: name)) else {
        throw SluiceError(
          "make", "trigger \(name)", errno: EEXIST, remedy: "use it with trigger=\(name), or take another name")
      }
      if !state.changes.contains(.hrtimer(name: name)) { try note(.hrtimer(name: name)) }
      return
    }
    try note(.hrtimer(name: name))
    guard mkdir(folder.folder(name).path, 0o755) != 0 else { return }
    let code = errno
    // Another program may have created it at this moment. Then it is not ours to remove.
    try withdraw(.hrtimer(name: name))
    let remedy =
      switch code {
      case ENOENT: "load the module iio-trig-hrtimer, and mount configfs at \(state.roots.sys)/kernel/config"
      case EACCES, EPERM: "run it as root, or name a trigger that is there"
      default: "name a trigger that is there"
      }
    throw SluiceError("make", folder.folder(name).path, errno: code, remedy: remedy)
  }

  private func isLeft(_ change: IIOChange) -> Bool {
    state.changes.contains(change) || IIOState.leftovers(roots: state.roots).contains { $0.changes.contains(change) }
  }

  private func note(_ change: IIOChange) throws(SluiceError) {
    try file.append(change.line)
    state.append(change)
  }

  /// Removes the last note, because the change was not made.
  private func withdraw(_ change: IIOChange) throws(SluiceError) {
    state.withdraw()
    try file.withdraw(change.line)
  }

  // MARK: Undoing

  /// The mutex serialises recordings that end together, so that the last one undoes the shared changes.
  private static let undoing = PriorityInheritanceMutex(())

  /// Undoes everything. Changes that cannot be undone now stay in the file.
  func undo() {
    guard !isUndone else { return }
    isUndone = true
    Self.undoing.withLock { _ in
      state.undo(in: file)
      file.close()
      IIOState.restoreShared(state.roots)
    }
  }
}
