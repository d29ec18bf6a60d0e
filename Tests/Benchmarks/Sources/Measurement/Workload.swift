/// One workload on one library.
public struct Workload {
  public enum Library: String {
    case sluice = "Sluice"
    case openCombine = "OpenCombine"
    case loop = "a loop"
    /// One that has to call the closures, as a library has to that was given them: none is inlined.
    case calls = "a loop of calls"
  }

  /// How time is taken.
  public enum Clock {
    /// What this program's threads have used: other programs on the machine do not count.
    case processor
    /// For workloads that wait for another thread.
    case wall
  }

  public let name: String
  public let library: Library
  /// Values that a run handles, unless it is told otherwise.
  public let values: Int
  public let clock: Clock
  /// How many times as fast as OpenCombine it is to be; nil if OpenCombine has no such operator.
  public let timesAsFast: Double?
  /// How many times as slow as the loop it may be.
  public let timesTheLoop: Double?
  private let body: (Int, Checksum) -> Void

  public init(
    _ name: String, _ library: Library, values: Int = 500_000, clock: Clock = .processor, timesAsFast: Double? = nil,
    timesTheLoop: Double? = nil, body: @escaping (Int, Checksum) -> Void
  ) {
    self.name = name
    self.library = library
    self.values = values
    self.clock = clock
    self.timesAsFast = timesAsFast
    self.timesTheLoop = timesTheLoop
    self.body = body
  }

  /// - Returns: A checksum, the same for every library.
  public func run(_ values: Int) -> Int {
    let checksum = Checksum()
    body(values, checksum)
    return checksum.value
  }
}
