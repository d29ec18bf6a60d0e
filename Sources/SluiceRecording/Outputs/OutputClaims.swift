import SluiceReadings
package import SluiceSystem

/// What the outputs of a recording have claimed, and what they need to know of each other.
public struct OutputClaims: Sendable {
  /// The identities and the paths of the files that are read. None of them is written.
  let inputs: [FileIdentity: String]
  package let disk: Disk
  /// By file, the length to which it is cut back before rows are appended. The readings behind it are written again.
  let cuts: [FileIdentity: Int64]
  /// Observes the parts of outputs with rotation.
  let parts: any PartObserver
  /// What outputs that are servers need to know.
  package internal(set) var servers: ServerSurroundings
  /// Asked while an output waits for its reader.
  let isInterrupted: @Sendable () -> Bool

  package private(set) var all: [any OutputClaim] = []
  private var paths: [FileIdentity: String] = [:]

  /// - Parameters:
  ///   - claimed: The identities and the paths of files that the recording writes already.
  ///   - cuts: By file, the length to which it is cut back before rows are appended.
  package init(
    inputs: [FileIdentity: String] = [:], claimed: [FileIdentity: String] = [:], cuts: [FileIdentity: Int64] = [:],
    disk: Disk = Disk(),
    parts: any PartObserver = NoPartObserver(), servers: ServerSurroundings = ServerSurroundings(),
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.servers = servers
    self.inputs = inputs
    self.cuts = cuts
    paths = claimed.filter { $0.key.keepsBytes }
    self.disk = disk
    self.parts = parts
    self.isInterrupted = isInterrupted
  }

  /// Adds a claim, which is discarded if the recording cannot begin.
  public mutating func add(_ claim: any OutputClaim) { all.append(claim) }

  /// Opens a file, unless it is claimed already.
  mutating func open(
    _ path: String, _ existing: ExistingFile, _ series: PartSeries?, _ compression: (any Compression.Type)?
  ) throws(SluiceError) -> ClaimedFile {
    // Checked also before opening: otherwise a file that the recording has just made would seem to exist already.
    try check(FileIdentity(path: path), path)
    let file = try ClaimedFile(
      path: path, existing: existing, disk: disk, series: series, compression: compression, inputs: inputs,
      cuts: cuts, isInterrupted: isInterrupted)
    add(file)
    try check(file.identity, path)
    if let identity = file.identity, identity.keepsBytes { paths[identity] = path }
    return file
  }

  private func check(_ identity: FileIdentity?, _ path: String) throws(SluiceError) {
    guard let identity, let other = paths[identity] else { return }
    throw SluiceError(
      .usage, "write", path, because: "it is the same file as \(other), which is to be written too",
      remedy: "remove one of them, or write to another folder")
  }

  /// Makes the beginnings of all stores safe, and then the names of new files.
  func sync() throws(SluiceError) {
    guard disk.syncs else { return }
    for claim in all { try claim.sync() }
    var folders: Set<ExactName> = []
    for claim in all {
      guard let folder = claim.folderOfNewName, folders.insert(ExactName(folder)).inserted else { continue }
      try claim.syncName()
    }
  }

  func discard() { for claim in all { claim.discard() } }
}
