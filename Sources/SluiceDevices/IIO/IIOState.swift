public import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// What a recording has changed on an IIO device, as it is kept in a file until it has been put back.
///
/// A recording that was killed leaves its device enabled, and such a file; the next recording from the same device, or
/// this, puts everything back:
///
/// ```swift
/// for state in IIOState.leftovers() {
///   print("\(state) is as a killed recording left it")
///   try state.restore()
/// }
/// ```
///
/// The file is `DEVICE.scans` or `DEVICE.events` in `/run/sluice` (for root), `$XDG_RUNTIME_DIR/sluice` (for everybody
/// else) or `/tmp/sluice-UID` (where that is not set). The recording holds a lock (`F_OFD_SETLK` of fcntl(2)) on it, which
/// the kernel releases when the process ends, however it ends.
public struct IIOState: Hashable, Sendable, CustomStringConvertible {
  /// The kernel's name of the device, `iio:device0`.
  public let device: String
  /// What it called itself: by that it is known again after its number went to another.
  public let name: String
  /// The file that says so.
  public let path: String
  let roots: DeviceRoots
  private(set) var changes: [IIOChange]

  /// The name and the device: `bmi160 (iio:device0)`.
  public var description: String { "\(name) (\(device))" }

  /// What recordings have left that are no longer running, as far as this user may know.
  public static func leftovers(roots: DeviceRoots = DeviceRoots()) -> [IIOState] {
    directoryEntries(roots.state).compactMap { name in
      let path = "\(roots.state)/\(name)"
      return IIOStateFile.leftover(path).flatMap { IIOState($0, path, roots) }
    }
  }

  /// Why some of it could not be put back yet, after a try.
  public private(set) var failure: SluiceError?

  /// Puts everything back that can be, and forgets it: what cannot be, for now, is kept, and nothing else. A device that
  /// has gone needs nothing.
  ///
  /// - Throws: `SluiceError.Code.busy` when a recording or another program uses the device now, or another device its
  ///   trigger; what the system said where an attribute could not be written, after all the others were.
  public func restore() throws(SluiceError) {
    if let failure = restored().failure { throw failure }
  }

  /// Puts back what all recordings have left that are no longer running: first the devices' own, so that nothing uses
  /// the triggers any more which they share.
  ///
  /// ```swift
  /// for state in IIOState.restoreAll() { print(state, state.failure?.description ?? "has been put back") }
  /// ```
  public static func restoreAll(roots: DeviceRoots = DeviceRoots()) -> [IIOState] {
    leftovers(roots: roots).map { $0.restored { !$0.isShared } }.map { $0.restored() }
  }

  /// Puts back what recordings that have ended shared with others, and which nobody needs any more.
  static func restoreShared(_ roots: DeviceRoots) {
    for left in leftovers(roots: roots) where left.changes.contains(where: \.isShared) {
      _ = left.restored(where: \.isShared)
    }
  }

  /// - Returns: What is still to be put back, and why.
  private func restored(where isWanted: (IIOChange) -> Bool = { _ in true }) -> IIOState {
    do throws(SluiceError) {
      // Read anew: somebody else may have put it back in the meantime.
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

  /// The kernel lets a device be opened only once, so that this tells whether somebody reads it.
  func checkUnused() throws(SluiceError) {
    let node = "\(roots.dev)/\(device)"
    do throws(SystemErrno) {
      closeFile(try openFile(node, O_RDONLY | O_NONBLOCK))
    } catch {
      guard error.code == EBUSY else { return }  // gone, or its attributes will say
      throw SluiceError("put back", description, errno: EBUSY, remedy: "stop the program that has \(node) open")
    }
  }

  /// Undoes the changes, the last one first. Those that could not be undone stay in the file, in the order in which they
  /// were made; where there are none, the file is removed.
  mutating func undo(in file: IIOStateFile, where isWanted: (IIOChange) -> Bool = { _ in true }) {
    // After the number has gone to another device nothing of this one is left to put back.
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

  /// For a new recording, which takes over what an earlier one has left in its file.
  init(_ device: IIODevice, in file: IIOStateFile, roots: DeviceRoots) {
    (self.device, name, path, self.roots) = (device.id, device.name, file.path, roots)
    changes = IIOState(file, roots)?.changes ?? []
  }

  /// What the file says.
  var text: String { "\(Self.title)\ndevice \(device) \(name)\n" + changes.map(\.line).joined() }

  /// Nil for what is no such file.
  private init?(_ file: IIOStateFile, _ roots: DeviceRoots) {
    guard let text = try? file.text() else { return nil }
    self.init(text, file.path, roots)
  }

  private init?(_ text: String, _ path: String, _ roots: DeviceRoots) {
    // A last line without an end was being written when the program was killed, and its change not yet made.
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
