import SluiceExtras
import SluiceFoundation
import XCTest

/// A project that imports SluiceExtras, and has some of its names too: what Swift takes then, as ComingFromCombine says.
final class NamesakesBesideExtrasTests: XCTestCase {
  private let numbers = PassthroughSubject<Int, Never>()

  func testOwnTypesComeFirst() {
    let types: [Any.Type] = [
      (any ElementKeys).self, (any ElementStamps).self, ClosureKeys.self, ClosureStamps.self, HoldValue<Int>.self,
      ReplaySubject<Int, Never>.self, (any Pausable).self, TimeLogger.self, VirtualTimeScheduler.self,
    ]
    for type in types { XCTAssertTrue(String(reflecting: type).hasPrefix("NamesakesBesideExtrasTests."), "\(type)") }
  }

  func testTheOthersHaveTheNameOfTheirModule() {
    let types: [Any.Type] = [
      SluiceExtras.HoldValue<Int>.self, SluiceExtras.ReplaySubject<Int, Never>.self, SluiceExtras.TimeLogger.self,
      SluiceExtras.VirtualTimeScheduler.self,
    ]
    for type in types { XCTAssertTrue(String(reflecting: type).hasPrefix("SluiceExtras."), "\(type)") }
  }

  func testAnOwnOperatorOfTheSameSignatureComesFirst() {
    _ = PassthroughSubject<Int?, Never>().unwrap()
    _ = PassthroughSubject<Bool, Never>().toggle()
    _ = [numbers].mergeAll()
    XCTAssertEqual(Calls.shared.names, ["unwrap", "toggle", "mergeAll"])
  }

  func testOfTwoResultsTheOneThatIsWantedIsTaken() {
    let own: Own = numbers.pair()
    let ours: Publishers.Nwise = numbers.pair()
    XCTAssertEqual(String(reflecting: type(of: own)), "NamesakesBesideExtrasTests.Own")
    XCTAssertEqual(ours.size, 2)
  }

  func testOfTwoLabelsTheOneThatIsWrittenIsTaken() {
    XCTAssertEqual("\(type(of: numbers.nwise(of: 2)))", "Own")
    XCTAssertEqual(numbers.nwise(2).size, 2)
  }

  #if hasFeature(MemberImportVisibility)
    func testAFileThatDoesNotImportThemHasTheOwn() {
      XCTAssertEqual(pairWithoutExtras, "Own")
      XCTAssertTrue(joinedWithoutExtras.contains("NamesakesBesideExtrasTests"), joinedWithoutExtras)
    }
  #endif
}
