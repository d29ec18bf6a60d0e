import Foundation
import TestFiles
import XCTest

/// The public declarations of a compiled module, by their paths, but for what is underscored.
struct ModuleNames {
  let names: Set<String>
  /// Those that do not belong to a type of this module: its types, and what it adds to the types of others.
  let outermost: Set<String>

  init(_ module: String) throws {
    let folder = TemporaryFolder()
    let products = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    let extract = Process()
    extract.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    extract.arguments = [
      "swift-symbolgraph-extract", "-module-name", module, "-I", products.appendingPathComponent("Modules").path,
      // SluiceSystem and Sluice import these publicly; their maps are not among the modules.
      "-I", Checkout.file("Sources/CLinux").path, "-I", Checkout.file("Sources/CFence").path,
      "-target", Self.target, "-output-dir", folder.path, "-minimum-access-level", "public",
      "-skip-synthesized-members",
    ]
    extract.standardOutput = FileHandle.nullDevice
    try extract.run()
    extract.waitUntilExit()
    // Debian keeps it outside the path.
    try XCTSkipIf(extract.terminationStatus == 127, "swift-symbolgraph-extract is not installed")
    XCTAssertEqual(extract.terminationStatus, 0, "swift-symbolgraph-extract of \(module)")
    var paths = Set<[String]>()
    for file in try FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: folder.path), includingPropertiesForKeys: nil)
    {
      let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      for symbol in graph.symbols {
        // Members of a hidden protocol, shown with each type that has them.
        if symbol.identifier.precise.contains("::SYNTHESIZED::") { continue }
        if symbol.pathComponents.contains(where: { $0.hasPrefix("_") }) { continue }
        paths.insert(symbol.pathComponents)
      }
    }
    names = Set(paths.map { $0.joined(separator: ".") })
    outermost = Set(paths.filter { !paths.contains(Array($0.dropLast())) }.map { $0.joined(separator: ".") })
  }

  private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { let precise: String }
      let identifier: Identifier
      let pathComponents: [String]
    }
    let symbols: [Symbol]
  }

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }
}
