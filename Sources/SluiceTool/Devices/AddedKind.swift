import SluiceAnalysis
import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// The devices of a kind of source that a program has added: what its `found(_:)` gives.
struct AddedKind: DeviceKind {
  let source: any SourceKind.Type

  var name: String { source.name }
  var title: String { source.name }
  var sources: [any SourceKind.Type] { [source] }

  func list(_ roots: DeviceRoots) -> any DeviceListing { AddedListing(source, roots) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let files = ((try? source.found(surroundings.roots)) ?? []).flatMap(\.files)
    return files.isEmpty ? nil : files.map { DeviceFile.read($0) }
  }

  func findings(_ surroundings: Surroundings, restore: Bool) -> [Finding] {
    do throws(SluiceError) {
      let count = try source.found(surroundings.roots).count
      return [.ok(name, count == 0 ? "there is none" : "\(count) can be recorded")]
    } catch {
      return [.problem(name, "\(error)")]
    }
  }
}

private struct AddedListing: DeviceListing {
  private let source: any SourceKind.Type
  private let found: [FoundSource]
  let failures: [SluiceError]

  init(_ source: any SourceKind.Type, _ roots: DeviceRoots) {
    self.source = source
    do throws(SluiceError) {
      (found, failures) = (try source.found(roots), [])
    } catch {
      (found, failures) = ([], [error])
    }
  }

  var blocks: [[String]] {
    guard !found.isEmpty else { return [] }
    return [[source.name] + table(found.map { ["  \(source.name):\($0.what)", $0.description] })]
  }

  var devices: [ListedDevice] {
    found.map { ListedDevice(name: $0.what, what: $0.description, source: "\(source.name):\($0.what)") }
  }

  var sources: [ListedSource] { found.map { ListedSource(source, [$0.what], $0.description) } }

  var members: [(String, JSON)] {
    let found = found.map {
      JSON.object([("what", .string($0.what)), ("description", .string($0.description))])
    }
    return [(source.name, .array(found))]
  }
}
