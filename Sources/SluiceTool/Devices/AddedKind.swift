import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The devices of a kind of source that a program has added: what its `found(_:)` gives.
struct AddedKind: DeviceKind {
  let source: any SourceKind.Type

  var name: String { source.name }
  var title: String { source.name }
  var sources: [any SourceKind.Type] { [source] }

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    do throws(SluiceError) {
      return DeviceEntries(
        name, table: name,
        try source.found(roots).map { found in
          let whole = "\(name):\(found.what)"
          return DeviceEntries.Entry(
            text: [whole, found.description],
            device: ListedDevice(name: found.what, what: found.description, source: whole),
            sources: [ListedSource(source, [found.what], found.description)],
            json: [("what", .string(found.what)), ("description", .string(found.description))])
        })
    } catch {
      return DeviceEntries(name, blocks: [], failures: [error])
    }
  }

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
