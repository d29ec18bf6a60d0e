import Namesakes
import SluiceFoundation
import XCTest

/// A library, or a project, may have every name that SluiceExtras and the kit for authors of operators have, as long as it
/// does not import SluiceExtras: it compiles, and its own are called.
final class NamesakesTests: XCTestCase {
  func testInTheModuleThatHasTheNames() { assertAllAreOwn(ownCalls()) }

  func testInAModuleThatImportsBoth() { assertAllAreOwn(callsOfTypes() + callsOfOperators()) }

  func testEveryNameIsThere() throws {
    let extras = try ModuleNames("SluiceExtras").outermost
    var kit = Set<String>()
    for name in try ModuleNames("Sluice").names where name.hasPrefix("Operators.") {
      let inner = name.dropFirst("Operators.".count)
      if !inner.contains(".") { kit.insert(String(inner)) }
    }
    let namesakes = try ModuleNames("Namesakes").outermost
    XCTAssertGreaterThan(extras.count, 40, "SluiceExtras was not read")
    XCTAssertGreaterThan(kit.count, 20, "the kit was not read")
    XCTAssertEqual(extras.union(kit).subtracting(namesakes).sorted(), [], "to be added to Namesakes")
    XCTAssertEqual(
      namesakes.subtracting(extras).subtracting(kit).sorted(), ["Own", "ownCalls()"], "not a name of ours any more")
    XCTAssertEqual(extras.union(kit).subtracting(ownCalls().map(\.name)).sorted(), [], "to be called in Calls.swift")
  }

  private func assertAllAreOwn(_ calls: [Call]) {
    for (name, type) in calls {
      let full = String(reflecting: type)
      XCTAssertTrue(full.contains("Namesakes"), "\(name) is \(full)")
    }
  }
}
