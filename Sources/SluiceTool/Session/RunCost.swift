import SluicePipeline
import SluiceReadings
import SluiceSystem

/// The memory and processor time of a run, for `--verbose`.
struct RunCost {
  private let account: Account
  /// The CPU time of all threads.
  private let cpuSeconds: Double
  private let residentBytes: Int

  init(_ account: Account) {
    self.account = account
    var usage = rusage()
    // 0 is RUSAGE_SELF, whose type differs between the C libraries.
    getrusage(0, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    // getrusage(2) gives KB.
    residentBytes = usage.ru_maxrss << 10
  }

  /// `peak of the buffers 12 readings, 0.41 s of processor time, 21.3 MB resident, longest sync of walk.csv 12.1 ms`
  var text: String {
    let held = account.peakHeld
    let parts = [
      "peak of the buffers \(grouped(held)) reading\(held == 1 ? "" : "s")",
      "\(fixed(cpuSeconds, 2)) s of processor time", "\(fixed(Double(residentBytes) / 1e6, 1)) MB resident",
    ]
    let syncs = account.outputs.compactMap { output in
      output.longestSync.map { "longest sync of \(output.output) \(spanText(Double($0)))" }
    }
    return (parts + syncs).joined(separator: ", ")
  }
}
