public import SluiceReadings
import SluiceSystem

/// The changes of a recording to an IIO device. A file keeps them until they are undone.
///
/// A killed recording leaves its device enabled, and such a file. The next recording from the same device undoes the
/// changes, and so does this:
///
/// ```swift
/// for state in IIOState.leftovers() {
///   print("\(state) is as a killed recording left it")
///   try state.restore()
/// }
/// ```
///
/// The file is `DEVICE.scans` or `DEVICE.events` in `/run/sluice` (for root), `$XDG_RUNTIME_DIR/sluice` (for other
/// users) or `/tmp/sluice-UID` (if that variable is not set). The recording holds a lock (`F_OFD_SETLK` of fcntl(2)) on
/// the file. The kernel releases the lock at any end of the process.
public struct IIOState: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's name of the device: `iio:device0`.
  public let device: String
  /// The name of the device itself. It identifies the device if another device has got its number.
  public let name: String
  /// The path of the file.
  public let path: String
  let roots: DeviceRoots
  private(set) var changes: [IIOChange]

  /// The name and the device: `bmi160 (iio:device0)`.
  public var description: String { "\(name) (\(device))" }

  /// State of recordings that do not run any more, as far as this user can see it.
  public static func leftovers(roots: DeviceRoots = DeviceRoots()) -> [IIOState] {
    directoryEntries(roots.state).compactMap { name in
      let path = "\(roots.state)/\(name)"
      return IIOStateFile.leftover(path).flatMap { IIOState($0, path, roots) }
    }
  }

  /// The error of the last try, if some changes could not be undone.
  public private(set) var failure: SluiceError?

  /// Undoes all changes that can be undone now, and keeps the others in the file. A device that is gone needs no undo.
  ///
  /// - Throws: `SluiceError.Code.busy` if a recording or another program uses the device, or another device uses its
  ///   trigger. If an attribute could not be written, the system's error, after all other attributes were written.
  public func restore() throws(SluiceError) {
    if let failure = restored().failure { throw failure }
  }

  /// Undoes the changes of all recordings that do not run any more. Changes to single devices come first, so that no
  /// device uses a shared trigger any more.
  ///
  /// ```swift
  /// for state in IIOState.restoreAll() { print(state, state.failure?.description ?? "has been put back") }
  /// ```
  public static func restoreAll(roots: DeviceRoots = DeviceRoots()) -> [IIOState] {
    leftovers(roots: roots).map { $0.restored { !$0.isShared } }.map { $0.restored() }
  }

  /// Undoes shared changes of ended recordings that no other recording needs any more.
  static func restoreShared(_ roots: DeviceRoots) {
    for left in leftovers(roots: roots) where left.changes.contains(where: \.isShared) {
      _ = left.restored(where: \.isShared)
    }
  }

  /// - Returns: The remaining changes, and the error.
  private func restored(where isWanted: (IIOChange) -> Bool = { _ in true }) -> IIOState {
    do throws(SluiceError) {
      // The file is read again, because another process may have undone the changes in the meantime.
      let file = try IIOStateFile(existing: path)
      guard var state = IIOState(file, roots) else {
        throw SluiceError(
          .malformed, "put back", path, because: "it is no file of this program", remedy: "have a look, and remove it")
      }
      try state.checkUnused()
      state.undo(in: file, where: isWanted)
      return state
    } catch {
      var state = self
      state.failure = error.code == .notFound ? nil : error
      if error.code == .notFound { state.changes = [] }
      return state
    }
  }

  /// Throws if a program reads the device. The kernel allows only one program to open it, so opening it shows this.
  func checkUnused() throws(SluiceError) {
    let node = "\(roots.dev)/\(device)"
    do throws(SystemErrno) {
      closeFile(try openFile(node, O_RDONLY | O_NONBLOCK))
    } catch {
      guard error.code == EBUSY else { return }  // the device is gone, or its attributes will give the error
      throw SluiceError("put back", description, errno: EBUSY, remedy: "stop the program that has \(node) open")
    }
  }

  /// Undoes the changes, the last one first. Changes that could not be undone stay in the file, in their order. If none
  /// is left, the file is removed.
  mutating func undo(in file: IIOStateFile, where isWanted: (IIOChange) -> Bool = { _ in true }) {
    // If another device has got the number, this device has nothing left to undo.
    let isOther = roots.iio.folder(device).readIfPresent("name").map { $0 != name } ?? false
    var left: [IIOChange] = []
    failure = nil
    for change in changes.reversed() {
      if isOther, case .attribute = change { continue }
      guard isWanted(change) else {
        left.append(change)
        continue
      }
      do throws(SluiceError) {
        try change.undo(for: device, roots)
      } catch {
        guard error.code != .notFound, error.code != .disconnected else { continue }
        left.append(change)
        failure = failure ?? error
      }
    }
    left.reverse()
    if left.isEmpty { file.remove() }
    guard left != changes else { return }
    changes = left
    guard !left.isEmpty else { return }
    try? file.clear()
    try? file.append(text)
  }
}

// MARK: The file

extension IIOState {
  private static let title = "sluice-iio-state 1"

  /// The state of a new recording. It takes over the changes that an earlier recording has left in its file.
  init(_ device: IIODevice, in file: IIOStateFile, roots: DeviceRoots) {
    (self.device, name, path, self.roots) = (device.id, device.name, file.path, roots)
    changes = IIOState(file, roots)?.changes ?? []
  }

  /// The content of the file.
  var text: String { "\(Self.title)\ndevice \(device) \(name)\n" + changes.map(\.line).joined() }

  /// Nil if the file has another format.
  private init?(_ file: IIOStateFile, _ roots: DeviceRoots) {
    guard let text = try? file.text() else { return nil }
    self.init(text, file.path, roots)
  }

  private init?(_ text: String, _ path: String, _ roots: DeviceRoots) {
    // A last line without an end was being written when the program was killed. Its change was not made yet.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard lines.popFirst() == Self.title[...],
      let parts = lines.popFirst()?.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false),
      parts.count == 3, parts[0] == "device", IIOChange.isDevice(parts[1])
    else { return nil }
    (device, name, self.path, self.roots) = (String(parts[1]), String(parts[2]), path, roots)
    changes = []
    for line in lines {
      guard let change = IIOChange(line, of: device) else { return nil }
      changes.append(change)
    }
  }

  mutating func append(_ change: IIOChange) { changes.append(change) }
  mutating func withdraw() { changes = changes.dropLast() }
}
