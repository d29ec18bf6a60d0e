import Foundation
import TestFiles
import XCTest

/// Compares the rows of all tables with the sources of all modules.
final class RowsTests: XCTestCase {
  /// Publishers and subscribers without a row, and why they have none.
  private let others = [
    // On the virtual board; what delivers for them is tested by DescriptorSourceTests.
    "GPIOEdges": "needs a chip: GPIOReaderTests, and the virtual board",
    "GPIOValues": "needs a chip: GPIOValuesTests, and the virtual board",
    "GPIOOutput": "needs a chip: the virtual board",
    "CANFrames": "needs an interface: CANFramesTests, and the virtual board",
    "IIOEvents": "needs a device: IIOEventTests, and the virtual board",
    "InputEvents": "needs a device: InputEventsTests, and the virtual board",
    "Lines": "has one subscriber, and a wire: LineSourceTests",
    "PPSPulses": "needs a device: PPSPulsesTests, and the virtual board",
    "IIOScans": "needs a device: IIOReaderTests, and the virtual board",
    "MergeByTime": "has several inputs of one type of element: MergeByTimeTests",
    "BranchPublisher": "must be subscribed to with all its neighbours, before their upstream: ForkTests",
    "ChainInput": "is within Exchanged, which has a row: StageExchangeTests",
    "SpilledPublisher": "has one subscriber, and a log on a disk: SpillMachineTests, SpillModelTests",
    "RecordingSink": "passes no values on: RecordingSinkTests",
    "AsyncSubscriber": "part of AsyncPublisher, which has a row: AsyncPublisherTests",
    "AnySubscriber": "hands on what it is given: every row passes through one",
    "DynamicInlet": "is between an operator and its upstreams, whose rows have it",
    "FoldConduit": "part of operators, which have rows",
    "StageConduit": "part of operators, which have rows",
    "TimedInlet": "part of operators, which have rows",
    "TestPublisher": "sends what a test tells it to, wanted or not",
    "TestSubscriber": "does what a test tells it to, and is what the rules look with",
  ]

  /// A type without a row is not tested against the contract.
  func testEveryPublisherAndSubscriberHasARow() throws {
    var rows = Set<String>()
    for file in try files("Tests") {
      rows.formUnion(file.text.matches(of: /\w*[rR]ow\(\s*(?:asks: [^,]+, name: )?"(\w+)/).map { String($0.1) })
    }
    // Rows of sinks have the method's name: `sink` for `Sink`.
    rows.formUnion(rows.map { $0.prefix(1).uppercased() + $0.dropFirst() })
    XCTAssertGreaterThan(rows.count, 100, "the tables were not read as they are written")
    var declared = Set<String>()
    for file in try files("Sources") { declared.formUnion(Self.publishersAndSubscribers(in: file)) }
    XCTAssertGreaterThan(declared.count, 110, "the sources were not read as they are written")
    XCTAssertEqual(declared.subtracting(rows).subtracting(others.keys).sorted(), [], "no row in any table")
    XCTAssertEqual(Set(others.keys).subtracting(declared).sorted(), [], "no such type")
  }

  private func files(_ folder: String) throws -> [(name: String, text: String)] {
    let files = FileManager.default.enumerator(at: Checkout.file(folder), includingPropertiesForKeys: nil)
    return try XCTUnwrap(files).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
      ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
  }

  /// Everything that may be subscribed to, and what others may subscribe with: subscribers within an operator are not
  /// seen from outside.
  private static func publishersAndSubscribers(in file: (name: String, text: String)) -> [String] {
    file.text.matches(of: /(?m)^ *((?:(?:public|package|private|fileprivate|final) )*)(?:struct|class) (\w+)([^{]*)\{/)
      .compactMap { match in
        let (access, name) = (String(match.1), String(match.2))
        // What it conforms to: neither its parameters nor what is asked of them.
        var clause = String(match.3)
        while case let shorter = clause.replacing(/<[^<>]*>/, with: ""), shorter != clause { clause = shorter }
        guard let colon = clause.firstIndex(of: ":") else { return nil }
        let kinds = clause[colon...].prefix(upTo: clause.range(of: "where")?.lowerBound ?? clause.endIndex)
          .split { !$0.isLetter && $0 != "_" }
        let isPublisher = kinds.contains {
          ["Publisher", "_DirectPublisher", "ConnectablePublisher", "DevicePublisher", "Subject", "AsyncSequence"]
            .contains($0)
        }
        let isSink = kinds.contains("Subscriber") && (access.contains("public") || access.contains("package"))
        guard isPublisher || isSink else { return nil }
        return name == "Publisher" ? file.name : name
      }
  }
}
