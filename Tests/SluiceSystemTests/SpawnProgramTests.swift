import SluiceSystem
import XCTest

final class SpawnProgramTests: XCTestCase {
  /// A program that is started has no use for them, and may print its environment or pass it on.
  func testSecretsAreNotInTheEnvironmentOfPrograms() throws {
    for name in [SecretVariables.token, SecretVariables.login, "SLUICE_TEST_PASSWORD", "SLUICE_TEST_OTHER"] {
      setenv(name, "hush-\(name)", 1)
    }
    defer {
      for name in [SecretVariables.token, SecretVariables.login, "SLUICE_TEST_PASSWORD", "SLUICE_TEST_OTHER"] {
        unsetenv(name)
      }
    }
    XCTAssertEqual(SecretVariables.value("SLUICE_TEST_PASSWORD"), "hush-SLUICE_TEST_PASSWORD")
    let (end, output) = try runProgram(["env"], limit: 1 << 20)
    // Other variables of the name SLUICE are those of whoever runs the tests.
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.contains("hush") }
    XCTAssertEqual(end, .exited(0))
    XCTAssertEqual(lines, ["SLUICE_TEST_OTHER=hush-SLUICE_TEST_OTHER"])
    XCTAssertEqual(getenv(SecretVariables.token).map { String(cString: $0) }, "hush-SLUICE_TOKEN")
  }
}
