import Foundation
import Schedules

/// A counter in a file that outlives the process which counts.
final class Progress {
  private let memory: UnsafeMutablePointer<Int>

  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, 64) == 0,
      let memory = mmap(nil, 64, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    close(descriptor)
    self.memory = memory.assumingMemoryBound(to: Int.self)
  }

  deinit { munmap(memory, 64) }

  var value: Int {
    get { memory.pointee }
    set { memory.pointee = newValue }
  }
}

/// What a worker process found in its share of seeds.
struct Findings: Codable {
  struct Explained: Codable {
    var count = 0
    var seed: UInt64
    var size: Int
  }
  struct Suspect: Codable {
    var seed: UInt64
    var size: Int
    /// Why the process died, if it did.
    var death: String?
  }

  var schedules = 0
  var equal = 0
  var explained: [String: Explained] = [:]
  var unexplained = 0
  var suspects: [Suspect] = []

  mutating func add(_ name: String, _ other: Explained) {
    var mine = explained[name] ?? Explained(count: 0, seed: other.seed, size: other.size)
    mine.count += other.count
    if other.size < mine.size { (mine.seed, mine.size) = (other.seed, other.size) }
    explained[name] = mine
  }

  mutating func add(_ suspect: Suspect) {
    suspects.append(suspect)
    suspects.sort { ($0.death == nil ? 1 : 0, $0.size) < ($1.death == nil ? 1 : 0, $1.size) }
    if suspects.count > 8 { suspects.removeLast() }
  }

  mutating func add(_ other: Findings) {
    schedules += other.schedules
    equal += other.equal
    unexplained += other.unexplained
    for (name, explained) in other.explained { add(name, explained) }
    for suspect in other.suspects { add(suspect) }
  }
}

enum Worker {
  /// `--worker NAME SEED COUNT PROGRESS`: plays the schedules, prints the findings.
  static func play(_ subject: Subject, _ seed: UInt64, _ count: Int, _ progress: Progress) throws {
    var findings = Findings()
    for offset in 0..<count {
      progress.value = offset
      let trial = subject.trial(seed &+ UInt64(offset))
      let size = trial.schedule.size
      findings.schedules += 1
      switch trial.outcome().verdict {
      case .equal: findings.equal += 1
      case .explained(let name): findings.add(name, .init(count: 1, seed: trial.schedule.seed, size: size))
      case .unexplained:
        findings.unexplained += 1
        findings.add(.init(seed: trial.schedule.seed, size: size))
      }
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(findings))
  }
}
