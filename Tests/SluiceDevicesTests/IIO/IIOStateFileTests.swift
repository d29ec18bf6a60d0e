import Foundation
import Sluice
import SluiceReadings
import Synchronization
import XCTest

@testable import SluiceDevices

final class IIOStateFileTests: XCTestCase {
  /// Two services start together: what one of them looks at, the other can begin with.
  func testLookingKeepsNobodyFromBeginning() throws {
    let fixture = SysfsFixture()
    let (roots, path) = (fixture.roots, "\(fixture.roots.state)/iio:device0.scans")
    let isOver = Atomic(false)
    let looks = Atomic(0)
    let hasStarted = DispatchSemaphore(value: 0)
    let looking = DispatchGroup()
    for _ in 0..<2 {
      looking.enter()
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          _ = IIOStateFile.isInUse(path)
          XCTAssertEqual(IIOState.leftovers(roots: roots), [])
          if looks.add(1, ordering: .relaxed).newValue == 2 { hasStarted.signal() }
        }
        looking.leave()
      }
    }
    XCTAssertEqual(hasStarted.wait(timeout: .now() + 60), .success)
    var refusals: [String] = []
    let device = try IIODevice.find("0", roots: roots)
    for _ in 0..<300 {
      // As a recording leaves it that is killed as soon as it has made it: nothing in it is to be put back.
      fixture.put(path, "")
      do throws(SluiceError) {
        let changes = try IIOChanges(of: device, for: "scans", roots: roots)
        try changes.set("length", of: device.buffer, to: "4")
        changes.undo()
      } catch {
        refusals.append(error.description)
      }
    }
    isOver.store(true, ordering: .relaxed)
    XCTAssertEqual(looking.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(refusals, [])
  }

  /// Nor does it keep anybody from it that somebody is putting back what an earlier recording had left.
  func testPuttingBackIsWaitedFor() throws {
    let fixture = SysfsFixture()
    let (roots, path) = (fixture.roots, "\(fixture.roots.state)/iio:device0.scans")
    let left = "sluice-iio-state 1\ndevice iio:device0 bmi160\nattribute iio:device0/buffer/length 2\n"
    let isOver = Atomic(false)
    let restoring = DispatchGroup()
    restoring.enter()
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) { _ = IIOState.restoreAll(roots: roots) }
      restoring.leave()
    }
    var refusals: [String] = []
    for _ in 0..<300 {
      fixture.put(path, left)
      do throws(SluiceError) {
        let file = try IIOStateFile(new: path)
        XCTAssertTrue(IIOStateFile.isInUse(path))
        file.remove()
        file.close()
      } catch {
        refusals.append(error.description)
      }
    }
    isOver.store(true, ordering: .relaxed)
    XCTAssertEqual(restoring.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(refusals, [])
  }

  func testAFileIsInUseAsLongAsItsRecordingRuns() throws {
    let fixture = SysfsFixture()
    let path = "\(fixture.roots.state)/iio:device0.scans"
    XCTAssertFalse(IIOStateFile.isInUse(path))
    let file = try IIOStateFile(new: path)
    XCTAssertTrue(IIOStateFile.isInUse(path))
    for body in [{ _ = try IIOStateFile(new: path) }, { _ = try IIOStateFile(existing: path) }] as [() throws -> Void] {
      XCTAssertThrowsError(try body()) { XCTAssertEqual(($0 as? SluiceError)?.code, .busy) }
    }
    file.close()
    XCTAssertFalse(IIOStateFile.isInUse(path))
    XCTAssertNoThrow(try IIOStateFile(existing: path))
  }
}
