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
      $0.formUnion(try names(of: $1))
    }
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("CombineNames.txt")
    let combines = Set(try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init))
    XCTAssertGreaterThan(ours.count, 1_000, "the modules were not read")
    XCTAssertEqual(ours.subtracting(combines).subtracting(withAFurtherParameter).sorted(), [], "not in Combine")
    XCTAssertEqual(combines.subtracting(ours).sorted(), [], "in Combine, and not here")
  }

  /// The public declarations of a module, by their paths, but for the one namespace and what is underscored.
  private func names(of module: String) throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-names-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let products = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    let extract = Process()
    extract.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    extract.arguments = [
      "swift-symbolgraph-extract", "-module-name", module, "-I", products.appendingPathComponent("Modules").path,
      "-target", target, "-output-dir", folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
    ]
    extract.standardOutput = FileHandle.nullDevice
    try extract.run()
    extract.waitUntilExit()
    XCTAssertEqual(extract.terminationStatus, 0, "swift-symbolgraph-extract of \(module)")
    var names = Set<String>()
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      for symbol in graph.symbols {
        let path = symbol.pathComponents
        // Members of a hidden protocol, shown with each type that has them.
        if symbol.identifier.precise.contains("::SYNTHESIZED::") { continue }
        if path[0] == "Operators" || path.contains(where: { $0.hasPrefix("_") }) { continue }
        names.insert(path.joined(separator: "."))
      }
    }
    return names
  }

  private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      let identifier: Identifier
      let pathComponents: [String]
    }
    let symbols: [Symbol]
  }

  private var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }
}
