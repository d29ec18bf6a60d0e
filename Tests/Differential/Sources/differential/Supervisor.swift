import Foundation
import Schedules

/// Has the schedules of one subject played in processes of their own, since a trap ends its process.
struct Supervisor {
  let subject: Subject
  let directory: URL

  func play(_ first: UInt64, _ count: Int) throws -> Findings {
    var findings = Findings()
    let file = directory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    guard let progress = Progress(path: file.path) else { throw CocoaError(.fileWriteUnknown) }
    var next = 0
    while next < count {
      progress.value = 0
      let arguments = ["--worker", subject.name, "\(first &+ UInt64(next))", "\(count - next)", file.path]
      let child = try Child(arguments, progress: progress)
      if case .exited(0) = child.end {
        findings.add(try JSONDecoder().decode(Findings.self, from: child.output))
        break
      }
      // What the dead process had counted is lost: it is played once more, up to where it died.
      let done = progress.value
      let seed = first &+ UInt64(next + done)
      if done > 0 { findings.add(try play(first &+ UInt64(next), done)) }
      findings.schedules += 1
      try judge(seed, &findings)
      next += done + 1
    }
    return findings
  }

  /// Finds out which library a process died of.
  private func judge(_ seed: UInt64, _ findings: inout Findings) throws {
    let size = subject.trial(seed).schedule.size
    let deaths = try ["Sluice", "OpenCombine"].map { name in
      switch try Child(["--alone", name, subject.name, "\(seed)"], patience: 5) {
      case let child where child.end.isHappy: String?.none
      case let child:
        "\(child.end) \(child.errors.split(separator: "\n").last { $0.contains("Fatal") } ?? "")"
      }
    }
    switch (deaths[0], deaths[1]) {
    case (nil, let theirs?):
      let hangs = theirs.hasPrefix("hung")
      findings.add(
        hangs ? "OpenCombine hangs" : "OpenCombine traps", .init(count: 1, seed: seed, size: size))
    case (_?, _?):
      findings.add("both trap or hang", .init(count: 1, seed: seed, size: size))
    case (let ours, _):
      findings.unexplained += 1
      findings.add(.init(seed: seed, size: size, death: "Sluice: \(ours ?? "dies only together with OpenCombine")"))
    }
  }
}

extension Child.End {
  var isHappy: Bool { if case .exited(0) = self { true } else { false } }
}
