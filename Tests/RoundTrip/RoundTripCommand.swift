import Foundation
import Sluice

/// Reads random tables: `RoundTrip tables SCRIPT COUNT --seed SEED`, or ten damaged forms of each: `RoundTrip damaged ...`. Or runs random
/// pipelines for some time: `RoundTrip SCRIPT SECONDS`. Or runs one, and keeps its files: `RoundTrip SCRIPT seed SEED`.
@main
struct RoundTripCommand {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 3 else {
      say("usage: RoundTrip SCRIPT SECONDS [FIRST-SEED] | RoundTrip SCRIPT seed SEED")
      exit(64)
    }
    if ["tables", "damaged"].contains(words[1]) {
      var tables = RandomTables()
      if words[1] == "damaged" { tables.damages = 10 }
      exit(try tables.run(words[2], Array(words.dropFirst(3))) ? 0 : 1)
    }
    let script = URL(fileURLWithPath: words[1]).path
    let folder = try WorkFolder(stays: words[2] == "seed")
    var test = try RoundTrips(folder: folder, script: script)
    if words[2] == "seed" {
      let failure = try test.run(seed: UInt64(words[3]) ?? 0)
      say("cd \(folder.path)")
      guard let failure else { return say("no fault") }
      say(failure.lines.joined(separator: "\n"))
      say(failure.text)
      exit(1)
    }
    let watch = Watchdog()
    let seconds = Double(words[2]) ?? 60
    let first = words.count > 3 ? UInt64(words[3]) ?? 0 : UInt64.random(in: 0..<1_000_000_000) &* 1_000_000
    say("seeds from \(first) on")
    let start = Date()
    var (seed, failures) = (first, 0)
    while -start.timeIntervalSinceNow < seconds {
      watch.begin(seed)
      if let failure = try test.run(seed: seed) {
        failures += 1
        say("seed \(failure.seed): \(failure.text)")
        for line in failure.lines { say("  \(line)") }
      }
      seed += 1
    }
    folder.remove()
    let time = Int(-start.timeIntervalSinceNow)
    say("\(test.pipelines) pipelines in \(time) s, \(test.total.commands) runs, \(failures) with a fault")
    say("outputs: \(RandomPipeline.Statistics.text(test.total.outputs))")
    say("stages: \(RandomPipeline.Statistics.text(test.total.stages))")
    say("endings: \(RandomPipeline.Statistics.text(test.total.endings))")
    say("refused: \(RandomPipeline.Statistics.text(test.refused))")
    exit(failures == 0 ? 0 : 1)
  }
}

/// Prints the seed and ends the process if a pipeline does not end.
private final class Watchdog: Sendable {
  private let current = Locked((seed: UInt64(0), since: Date()))

  init() {
    Thread.detachNewThread { [current] in
      while true {
        Thread.sleep(forTimeInterval: 5)
        let (seed, since) = current.withLock { $0 }
        guard -since.timeIntervalSinceNow > 120 else { continue }
        say("seed \(seed): it does not end")
        exit(2)
      }
    }
  }

  func begin(_ seed: UInt64) { current.withLock { $0 = (seed, Date()) } }
}

/// Prints at once: a run takes hours, and its output goes to a file.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
