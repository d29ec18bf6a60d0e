import Foundation
import XCTest

/// What `import SluiceFoundation` brings into a file is what `import Combine` brings, and one name for authors of operators.
///
/// The public names are those of the compiled modules; CombineNames.txt has Combine's. Names with an underscore do not
/// count.
final class NamesTests: XCTestCase {
  /// Combine's methods with one more parameter.
  private let withAFurtherParameter: Set<String> = [
    "Publisher.buffer(size:prefetch:whenFull:dropped:)", "Publisher.throttle(for:scheduler:latest:dropped:)",
    "AsyncPublisher.Iterator.next(isolation:)", "AsyncThrowingPublisher.Iterator.next(isolation:)",
  ]

  func testTheNamesAreCombines() throws {
    let ours = try ["Sluice", "SluiceDispatch", "SluiceFoundation"].reduce(into: Set<String>()) {
      $0.formUnion(try ModuleNames($1).names.filter { !$0.hasPrefix("Operators") })
    }
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("CombineNames.txt")
    let combines = Set(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init))
    XCTAssertGreaterThan(ours.count, 1_000, "the modules were not read")
    XCTAssertEqual(ours.subtracting(combines).subtracting(withAFurtherParameter).sorted(), [], "not in Combine")
    XCTAssertEqual(combines.subtracting(ours).sorted(), [], "in Combine, and not here")
  }
}
