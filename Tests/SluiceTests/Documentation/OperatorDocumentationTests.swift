import Foundation
import TestFiles
import XCTest

/// Every operator tells, in the same words and order, what it asks for, on which thread values come, what it keeps, and
/// what it does with a failure.
final class OperatorDocumentationTests: XCTestCase {
  private static let words = ["Demand", "Thread", "Memory", "Failure"]
  private static let extended = ["extension Publisher ", "extension ConnectablePublisher ", "extension Collection "]
  /// The folders of the operators, and the files in them that declare none of their own.
  private static let folders: [String: Set<String>] = [
    "Sluice/Operators": ["MergeChaining.swift", "MergeCore.swift"],
    "SluiceExtras/Operators": [],
    "SluiceExtras/ByTime": [
      "CollectIntervals.swift", "ElementClock.swift", "ElementStamps.swift", "HeldElements.swift", "KeyTable.swift",
      "KeyedIntervals.swift", "KeyedQueue.swift", "MergeByTime.swift", "OutputQueue.swift", "ThrottleIntervals.swift",
      "WantedInputs.swift",
    ],
  ]

  func testEveryOperatorTellsDemandThreadMemoryAndFailure() throws {
    var count = 0
    for (folder, others) in Self.folders {
      for file in try FileManager.default.contentsOfDirectory(
        at: Checkout.file("Sources/\(folder)"), includingPropertiesForKeys: nil)
      where file.pathExtension == "swift" {
        let operators = Self.operators(declaredIn: try String(contentsOf: file, encoding: .utf8))
        XCTAssertEqual(
          operators.isEmpty, others.contains(file.lastPathComponent), "\(file.lastPathComponent) is not as it was read")
        count += operators.count
        var seen = Set<String>()
        for (name, documentation) in operators {
          let isFirst = seen.insert(name).inserted
          guard isFirst || name.hasPrefix("try") else { continue }
          XCTAssertEqual(Self.list(in: documentation), Self.words, "\(file.lastPathComponent): \(name)")
        }
      }
    }
    XCTAssertGreaterThan(count, 120, "the sources were not read as they are written")
  }

  /// A method is in the file of its name, or the architecture page says where it is.
  func testTheArchitectureTellsWhereAMethodIs() throws {
    var files: [String: Set<String>] = [:]
    for folder in Self.folders.keys {
      for file in try FileManager.default.contentsOfDirectory(
        at: Checkout.file("Sources/\(folder)"), includingPropertiesForKeys: nil)
      where file.pathExtension == "swift" {
        for (name, _) in Self.operators(declaredIn: try String(contentsOf: file, encoding: .utf8)) {
          let method = name.hasPrefix("try") ? name.dropFirst(3).prefix(1).lowercased() + name.dropFirst(4) : name
          files[method, default: []].insert(file.deletingPathExtension().lastPathComponent)
        }
      }
    }
    let page = try Checkout.text("docs/Architecture.md")
    let section = try XCTUnwrap(page.components(separatedBy: "### Where a method is\n").last)
    var told: [String: Set<String>] = [:]
    for line in section.components(separatedBy: "\n### ")[0].split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.split(separator: "`").filter { $0.contains(where: \.isLetter) } }
      told[String(try XCTUnwrap(cells[0].first)), default: []] = Set(cells[1].map(String.init))
    }
    XCTAssertEqual(told, files.filter { name, files in files.map { $0.lowercased() } != [name.lowercased()] })
  }

  /// The public methods within extensions of what operators extend, with the lines of their documentation.
  private static func operators(declaredIn text: String) -> [(name: String, documentation: [String])] {
    var operators: [(name: String, documentation: [String])] = []
    var documentation: [String] = []
    var isInside = false
    for line in text.components(separatedBy: "\n") {
      if !line.hasPrefix(" "), line.hasSuffix("{") { isInside = extended.contains { line.hasPrefix($0) } }
      guard isInside, line.hasPrefix("  "), !line.hasPrefix("   ") else {
        documentation = []
        continue
      }
      let line = line.dropFirst(2)
      if line.hasPrefix("///") {
        documentation.append(String(line.dropFirst(3)))
      } else if let declaration = line.range(of: "public func ") {
        let name = line[declaration.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "`" }
        operators.append((name.filter { $0 != "`" }, documentation))
        documentation = []
      } else if !line.hasPrefix("@") {
        documentation = []
      }
    }
    return operators
  }

  /// The first words of the list that ends a documentation, after an empty line.
  private static func list(in documentation: [String]) -> [String] {
    let start = documentation.lastIndex(of: "").map { $0 + 1 } ?? documentation.count
    return documentation[start...].filter { $0.hasPrefix(" - ") }.map { line in
      let item = line.dropFirst(3).split(separator: ":", maxSplits: 1)
      return item.count == 2 && item[1].count > 5 ? String(item[0]) : "nothing said: \(line)"
    }
  }
}
