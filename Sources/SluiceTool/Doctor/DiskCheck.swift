import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Checks that a folder is fast enough and has room for a recording.
enum DiskCheck {
  static let name = "disk"

  struct Measures: Equatable {
    var megabytesPerSecond: Double
    /// The time until the slowest of a hundred writes is on the disk.
    var latencyMilliseconds: Double
    var freeBytes: Int
    var isMemory: Bool
  }

  /// Readings of 40 bytes (four values) at 100 kHz are 4 MB/s.
  private static let slow = 5.0
  /// A buffer of 1,000 readings is full after this time at 1 kHz.
  private static let late = 1_000.0
  private static let full = 256 << 20

  static func findings(_ directory: String, _ measures: Measures) -> [Finding] {
    let rate = measures.megabytesPerSecond
    var findings: [Finding] = []
    let latency = fixed(measures.latencyMilliseconds, 1)
    let meaning = "\(directory): \(fixed(rate, 1)) MB/s, and 99 of 100 writes are on it within \(latency) ms"
    if rate < slow {
      findings.append(.warning(name, meaning, "record to a faster disk, or less: --throttle"))
    } else if measures.latencyMilliseconds > late {
      findings.append(.warning(name, meaning, "let --buffer hold the readings of that time"))
    } else {
      findings.append(.ok(name, meaning))
    }
    let free = "\(grouped(measures.freeBytes >> 20)) MiB are free in \(directory)"
    findings.append(
      measures.freeBytes < full ? .warning(name, free, "make room before a long recording") : .ok(name, free))
    if measures.isMemory {
      findings.append(
        .warning(name, "\(directory) is in memory: what is recorded is gone after a restart", "record to a disk"))
    }
    return findings
  }

  /// Writes to the disk for a short time.
  static func findings(_ surroundings: Surroundings, _ directory: String, interruption: Interruption) -> [Finding] {
    do throws(SluiceError) {
      let benchmark = DiskBenchmark(
        duration: TimeSpan(nanoseconds: 500_000_000), size: ByteSize(bytes: 16 << 20),
        directory: directory, interruption: interruption)
      let figures = try benchmark.run().measurements.flatMap(\.figures)
      var system = statvfs()
      guard statvfs(directory, &system) == 0 else { throw SluiceError("ask", directory, errno: errno) }
      func figure(_ key: String) -> Double { figures.first { $0.key == key }?.value ?? 0 }
      let free = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
      return findings(
        directory,
        Measures(
          megabytesPerSecond: figure("mb_per_second"), latencyMilliseconds: figure("p99_us") / 1_000,
          freeBytes: free.overflow ? .max : Int(clamping: free.partialValue),
          isMemory: isMemory(directory, mounts: Surroundings.text("\(surroundings.proc)/self/mountinfo") ?? "")))
    } catch {
      return [.problem(name, "\(error)")]
    }
  }

  private static func isMemory(_ directory: String, mounts: String) -> Bool {
    guard let device = Surroundings.status(directory)?.st_dev else { return false }
    return isMemory(device: UInt64(device), mounts: mounts)
  }

  /// - Parameter mounts: Lines such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`
  ///   (proc_pid_mountinfo(5)).
  static func isMemory(device: UInt64, mounts: String) -> Bool {
    // makedev(3) has put the two numbers together.
    let (major, minor) = (device >> 8 & 0xfff | device >> 32 & ~0xfff, device & 0xff | device >> 12 & 0xffff_ff00)
    return mounts.split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == "\(major):\(minor)", let dash = words.firstIndex(of: "-") else { return false }
      return words.dropFirst(dash + 1).first.map { $0 == "tmpfs" || $0 == "ramfs" } ?? false
    }
  }
}
