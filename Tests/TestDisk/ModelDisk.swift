import Foundation
import SluiceSystem

/// A disk in memory that fails, is full, dies and forgets, as its test says.
///
/// Bytes and names are on it for good only after a sync. A power cut keeps of everything else what chance wants: of the
/// writes any subset, of the names those of the first operations.
package final class ModelDisk: FileSystem, @unchecked Sendable {
  // One thread at a time uses it: all queues of the test are one.

  private final class Node {
    let number: UInt64
    var bytes: [UInt8] = []
    /// As it would be after a power cut that loses everything since the last sync.
    var durable: [UInt8] = []
    var unsynced: [Change] = []
    var isLocked = false
    /// The bytes of room behind its end that are its own.
    var allocated = 0
    /// What a sync has failed to put on the disk. The kernel says so once, and takes it for written.
    var lost: [Range<Int>] = []
    /// As it was made.
    let path: String

    init(_ number: UInt64, _ path: String) {
      self.number = number
      self.path = path
    }

    /// Its bytes as the disk gets them.
    var onDisk: [UInt8] {
      var bytes = bytes
      for range in lost where range.lowerBound < bytes.count {
        for index in range.clamped(to: 0..<bytes.count) { bytes[index] = 0 }
      }
      return bytes
    }
  }

  private enum Change {
    case write(Int, [UInt8])
    case truncate(Int)
  }

  private enum NameChange {
    case link(String, Node)
    case remove(String)
    case rename(String, String)
  }

  /// What one call does besides what it should.
  package enum Fault {
    case error(Int32)
    /// A write takes only some bytes.
    case short
    /// Some bytes are taken, and then an error.
    case shortError(Int32)
  }

  private var names: [String: Node] = [:]
  private var durableNames: [String: Node] = [:]
  private var nameChanges: [NameChange] = []
  private var descriptors: [Int32: Node] = [:]
  /// Where the next write goes, by descriptor; at the end for those that append.
  private var positions: [Int32: Int] = [:]
  private var nextDescriptor: Int32 = 100
  private var nextNode: UInt64 = 1
  /// Asked before each call; nil for none.
  package var fault: (_ call: String, _ path: String) -> Fault? = { _, _ in nil }
  /// Whether a folder is read before its ``fault`` is asked, so that what the fault does comes behind it.
  package var namesBeforeFault = false
  /// By path, the places that cannot be read.
  package var unreadable: [String: Range<Int>] = [:]
  /// Bytes that may still be written before the process dies.
  package var bytesToLive = Int.max
  /// Calls that may still be made before the process dies. The next one has no effect.
  package var callsToLive = Int.max
  /// The process is dead: nothing it does has an effect.
  package private(set) var isDead = false
  package private(set) var calls = 0
  /// A sync has failed.
  package private(set) var hasLost = false
  /// Bytes that there is room for.
  package var room = Int.max
  /// Whether room that a file has allocated is its own; otherwise it stays for whoever writes first.
  package var keepsAllocated = false
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed) }

  // MARK: Ends

  /// The process is gone: its descriptors are closed, its locks released.
  package func kill() {
    for node in names.values { node.isLocked = false }
    descriptors = [:]
    isDead = false
    (bytesToLive, callsToLive) = (.max, .max)
    fault = { _, _ in nil }
  }

  package func cutPower() {
    kill()
    names = durableNames
    // Names are kept in a journal, in their order.
    for change in nameChanges.prefix(Int.random(in: 0...nameChanges.count, using: &random)) {
      apply(change, to: &names)
    }
    nameChanges = []
    for node in names.values.sorted(by: { $0.number < $1.number }) {
      var bytes = node.durable
      for change in node.unsynced where Bool.random(using: &random) {
        switch change {
        case .write(let offset, let new):
          // A page or another was not written.
          let count = Bool.random(using: &random) ? new.count : Int.random(in: 0...new.count, using: &random)
          guard count > 0 else { continue }
          while bytes.count < offset + count { bytes.append(0) }
          bytes.replaceSubrange(offset..<offset + count, with: new.prefix(count))
        case .truncate(let length): if bytes.count > length { bytes.removeLast(bytes.count - length) }
        }
      }
      node.bytes = bytes
      node.durable = bytes
      node.unsynced = []
      node.lost = []
    }
    durableNames = names
  }

  private func apply(_ change: NameChange, to names: inout [String: Node]) {
    switch change {
    case .link(let path, let node): names[path] = node
    case .remove(let path): names[path] = nil
    case .rename(let path, let other):
      if let node = names.removeValue(forKey: path) { names[other] = node }
      for child in names.keys where child.hasPrefix(path + "/") {
        names[other + child.dropFirst(path.count)] = names.removeValue(forKey: child)
      }
    }
  }

  private func change(_ change: NameChange) {
    apply(change, to: &names)
    nameChanges.append(change)
  }

  // MARK: What the test looks at

  /// Changes a byte.
  package func damage(_ path: String, at place: Int) {
    guard let node = names[path], place < node.bytes.count else { return }
    node.bytes[place] ^= 0xff
    if place < node.durable.count { node.durable[place] ^= 0xff }
  }

  package func text(_ path: String) -> String? { names[path].map { String(decoding: $0.bytes, as: UTF8.self) } }
  package func bytes(_ path: String) -> [UInt8] { names[path]?.bytes ?? [] }
  package var paths: [String] { names.keys.sorted() }

  // MARK: FileSystem

  private func checkLife() throws(SystemErrno) {
    calls += 1
    if callsToLive == 0 { isDead = true }
    if isDead { throw SystemErrno(EIO) }
    if callsToLive != .max { callsToLive -= 1 }
  }

  private func check(_ call: String, _ path: String) throws(SystemErrno) {
    try checkLife()
    if case .error(let code) = fault(call, path) { throw SystemErrno(code) }
  }

  private func node(_ descriptor: Int32) throws(SystemErrno) -> Node {
    guard let node = descriptors[descriptor] else { throw SystemErrno(EBADF) }
    return node
  }

  package func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32 {
    try check("open", path)
    if let node = names[path] {
      if flags & O_CREAT != 0, flags & O_EXCL != 0 { throw SystemErrno(EEXIST) }
      return opened(node, flags)
    }
    guard flags & O_CREAT != 0 else { throw SystemErrno(ENOENT) }
    let node = Node(nextNode, path)
    nextNode += 1
    change(.link(path, node))
    return opened(node, flags)
  }

  private func opened(_ node: Node, _ flags: Int32) -> Int32 {
    nextDescriptor += 1
    descriptors[nextDescriptor] = node
    if flags & O_APPEND == 0 { positions[nextDescriptor] = 0 }
    return nextDescriptor
  }

  package func open(_ path: String, _ flags: Int32, isInterrupted: () -> Bool) throws(SystemErrno) -> Int32? {
    try open(path, flags)
  }

  package func status(of descriptor: Int32) throws(SystemErrno) -> FileStatus { status(try node(descriptor)) }

  package func status(at path: String) throws(SystemErrno) -> FileStatus {
    guard let node = names[path] else {
      guard let child = names.first(where: { $0.key.hasPrefix(path + "/") }) else { throw SystemErrno(ENOENT) }
      return status(child.value)
    }
    return status(node)
  }

  /// Files have no owner here.
  package func steps(to path: String) -> [PathStep] { [] }

  package func birth(of path: String) -> Int64? { nil }

  private func status(_ node: Node) -> FileStatus {
    FileStatus(identity: FileIdentity(regular: node.number), size: Int64(node.bytes.count))
  }

  package func lock(_ descriptor: Int32) throws(SystemErrno) {
    let node = try node(descriptor)
    if node.isLocked { throw SystemErrno(EWOULDBLOCK) }
    node.isLocked = true
  }

  package func read(
    _ descriptor: Int32, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer
  ) throws(SystemErrno) -> Int {
    let node = try node(descriptor)
    try check("read", node.path)
    guard offset < Int64(node.bytes.count) else { return 0 }
    var count = min(bytes.count, node.bytes.count - Int(offset))
    if let bad = unreadable[node.path], bad.overlaps(Int(offset)..<Int(offset) + count) {
      if bad.contains(Int(offset)) { throw SystemErrno(EIO) }
      count = bad.lowerBound - Int(offset)
    }
    bytes.copyBytes(from: node.bytes[Int(offset)..<Int(offset) + count])
    return count
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
    try checkLife()
    let node = try node(descriptor)
    var count = bytes.count
    var error: Int32?
    switch fault("write", node.path) {
    case .error(let code): throw SystemErrno(code)
    case .short: count = Int.random(in: min(1, count)...count, using: &random)
    case .shortError(let code):
      count = Int.random(in: 0...count, using: &random)
      error = code
    case nil: break
    }
    let offset = min(positions[descriptor] ?? node.bytes.count, node.bytes.count)
    let there = node.bytes.count - offset
    if count - there - node.allocated > room {
      count = room + there + node.allocated
      error = error ?? ENOSPC
    }
    if count >= bytesToLive {
      count = bytesToLive
      isDead = true
    }
    bytesToLive -= count
    let fromAllocated = min(node.allocated, max(0, count - there))
    node.allocated -= fromAllocated
    room -= max(0, count - there) - fromAllocated
    let new = Array(bytes.prefix(count))
    node.unsynced.append(.write(offset, new))
    node.bytes.replaceSubrange(offset..<offset + min(count, there), with: new)
    if positions[descriptor] != nil { positions[descriptor] = offset + count }
    if isDead { throw SystemErrno(EIO) }
    // As the kernel does: what was taken is told first, the error by the next call.
    if count > 0 {
      if let error { fault = Self.once(error, node.path, then: fault) }
      return count
    }
    throw SystemErrno(error ?? EIO)
  }

  /// A disk without a limit stays without one.
  private func give(back count: Int) {
    let (sum, isOverflow) = room.addingReportingOverflow(count)
    room = isOverflow ? .max : sum
  }

  private static func once(
    _ code: Int32, _ path: String, then fault: @escaping (String, String) -> Fault?
  ) -> (String, String) -> Fault? {
    var isFirst = true
    return { call, other in
      guard isFirst, call == "write", other == path else { return fault(call, other) }
      isFirst = false
      return .error(code)
    }
  }

  package func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno) {
    let node = try node(descriptor)
    try check("truncate", node.path)
    give(back: node.allocated)
    node.allocated = 0
    guard Int(length) < node.bytes.count else { return }
    give(back: node.bytes.count - Int(length))
    node.unsynced.append(.truncate(Int(length)))
    node.lost = node.lost.filter { $0.lowerBound < Int(length) }.map { $0.clamped(to: 0..<Int(length)) }
    node.bytes.removeLast(node.bytes.count - Int(length))
  }

  package func allocate(_ descriptor: Int32, _ length: Int64) throws(SystemErrno) {
    let node = try node(descriptor)
    try check("allocate", node.path)
    let more = Int(length) - node.bytes.count - node.allocated
    if more > room { throw SystemErrno(ENOSPC) }
    guard keepsAllocated, more > 0 else { return }
    node.allocated += more
    room -= more
  }

  package func sync(_ descriptor: Int32) throws(SystemErrno) {
    let node = try node(descriptor)
    do throws(SystemErrno) {
      try check("sync", node.path)
    } catch {
      guard !isDead else { throw error }
      hasLost = true
      for case .write(let offset, let bytes) in node.unsynced { node.lost.append(offset..<offset + bytes.count) }
      node.unsynced = []
      throw error
    }
    node.durable = node.onDisk
    node.unsynced = []
  }

  package func close(_ descriptor: Int32) throws(SystemErrno) {
    let node = try node(descriptor)
    descriptors[descriptor] = nil
    positions[descriptor] = nil
    if !isDead, !descriptors.values.contains(where: { $0 === node }) { node.isLocked = false }
    try check("close", node.path)
  }

  package func rename(_ path: String, to other: String) throws(SystemErrno) {
    try check("rename", path)
    guard names.keys.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) else { throw SystemErrno(ENOENT) }
    change(.rename(path, other))
  }

  package func link(_ path: String, to other: String) throws(SystemErrno) {
    try check("link", path)
    guard let node = names[path] else { throw SystemErrno(ENOENT) }
    guard names[other] == nil else { throw SystemErrno(EEXIST) }
    change(.link(other, node))
  }

  /// Files have no owner here.
  package func copyOwner(of descriptor: Int32, to other: Int32) throws(SystemErrno) {}

  package func remove(_ path: String) throws(SystemErrno) {
    try check("remove", path)
    guard let node = names[path] else { throw SystemErrno(ENOENT) }
    give(back: node.bytes.count + node.allocated)
    change(.remove(path))
  }

  /// Every folder is there.
  package func makeFolder(_ path: String) throws(SystemErrno) {}
  package func removeFolder(_ path: String) throws(SystemErrno) {}

  package func sync(folder path: String) throws(SystemErrno) {
    try check("sync", path)
    durableNames = names
    nameChanges = []
  }

  package func sync(diskOf folder: String) throws(SystemErrno) {
    try check("sync", folder)
    for node in names.values {
      node.durable = node.onDisk
      node.unsynced = []
    }
    durableNames = names
    nameChanges = []
  }

  package func names(in folder: String) throws(SystemErrno) -> [String] {
    let before = names
    try check("names", folder)
    let paths = (namesBeforeFault ? before : names).keys.filter { $0.hasPrefix(folder + "/") }
    return Set(paths.map { $0.dropFirst(folder.count + 1).prefix { $0 != "/" } }).map(String.init)
  }
}
