import Foundation

/// A copy of this program with other arguments, which may die.
struct Child {
  enum End {
    case exited(Int32)
    case died(Int32)
    case hung
  }

  let end: End
  let output: Data
  let errors: String

  /// - Parameters:
  ///   - progress: What tells that it is alive.
  ///   - patience: Seconds without progress.
  init(_ arguments: [String], progress: Progress? = nil, patience: Double = 20) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let directory = FileManager.default.temporaryDirectory
    let name = UUID().uuidString
    // Files, not pipes: nobody has to read while the process runs.
    let files = [directory.appendingPathComponent(name + ".out"), directory.appendingPathComponent(name + ".err")]
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    process.standardInput = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    var seen = -1
    var isHung = false
    while ended.wait(timeout: .now() + patience) == .timedOut {
      if let progress, progress.value != seen {
        seen = progress.value
        continue
      }
      isHung = true
      kill(process.processIdentifier, SIGKILL)
    }
    output = try Data(contentsOf: files[0])
    errors = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    if isHung {
      end = .hung
    } else {
      end = process.terminationReason == .exit ? .exited(process.terminationStatus) : .died(process.terminationStatus)
    }
  }
}
