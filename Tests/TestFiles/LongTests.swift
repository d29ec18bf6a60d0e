import Foundation

/// Random tests have a long form, which `make test-long` runs.
public enum LongTests {
  private static let areWanted = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] != nil

  /// How often a random test is repeated: in `make test`, a quarter of its long form.
  public static func rounds(_ count: Int) -> Int { areWanted ? count : count / 4 }
}
