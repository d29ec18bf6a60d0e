import Foundation
import TestFiles
import XCTest

@testable import Sluice

/// An operator without a row in the table is one that nobody holds to the contract.
final class OperatorTableTests: XCTestCase {
  /// The publishers that are no operators, or are held to the contract by suites of their own.
  private static let others: Set<String> = [
    "Sequence", "AsyncElements", "DispatchTimer", "Ticks", "Tick",  // sources: SourceTests, DispatchTimerTests
    "MergeByTime",  // MergeByTimeTests: several inputs of one element type
  ]

  func testEveryPublisherHasARow() throws {
    var declared = Set<String>()
    for folder in ["Sluice/Operators", "Sluice/Publishers", "SluiceExtras"] {
      let files = FileManager.default.enumerator(
        at: Checkout.file("Sources/\(folder)"), includingPropertiesForKeys: nil)
      for case let file as URL in try XCTUnwrap(files) where file.pathExtension == "swift" {
        declared.formUnion(Self.publishers(declaredIn: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    XCTAssertGreaterThan(declared.count, 80, "the sources were not read as they are written")
    let rows = Set(OperatorRow.all.map(\.name))
    XCTAssertEqual(declared.subtracting(Self.others).subtracting(rows), [], "no row in OperatorTable.swift")
    XCTAssertEqual(rows.subtracting(declared).subtracting(["AnyPublisher", "Deferred"]), [], "no such publisher")
  }

  /// The names of the types declared within `extension Publishers`.
  private static func publishers(declaredIn text: String) -> [String] {
    var names: [String] = []
    var inside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("extension ") { inside = line.hasPrefix("extension Publishers {") }
      guard inside else { continue }
      for start in ["  public struct ", "  public final class "] where line.hasPrefix(start) {
        names.append(String(line.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber }))
      }
    }
    return names
  }
}
