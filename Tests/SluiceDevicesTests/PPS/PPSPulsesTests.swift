import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceDevices

/// Pulses from answers in the place of the kernel's.
final class PPSPulsesTests: XCTestCase {
  /// What the kernel has, and what it was asked.
  private struct Kernel {
    var fetched = PPSSession.Fetched()
    /// The edges that come while a request waits.
    var coming: [PPSSession.Fetched] = []
    var mode: Int32 = 1
    var capabilities: Int32 = 1
    var mayBeSet = true
    var modes: [Int32] = []
    var now = WallTimes.Look(monotonic: 0, wall: 0)
  }

  private let folder = TemporaryFolder()
  private let kernel = Locked(Kernel())
  private let losses = DeviceLosses(coverage: .all)
  private let second: Int64 = 1_000_000_000
  private var roots: DeviceRoots { DeviceRoots(root: folder.path) }

  override func setUpWithError() throws {
    for (file, text) in [
      ("sys/class/pps/pps0/name", "ktimer\n"), ("sys/class/pps/pps0/path", "\n"),
      ("sys/class/pps/pps10/name", "gps\n"), ("sys/class/pps/pps10/path", "/dev/ttyS0\n"), ("dev/pps0", ""),
    ] {
      let path = "\(folder.path)/\(file)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
  }

  private var request: DeviceRequest {
    { [kernel] _, request, argument in
      kernel.withLock { kernel in
        switch request {
        case 0x8008_70a3: argument.storeBytes(of: kernel.capabilities, as: Int32.self)
        case 0x8008_70a1: argument.storeBytes(of: kernel.mode, toByteOffset: 4, as: Int32.self)
        case 0x4008_70a2:
          guard kernel.mayBeSet else {
            errno = EPERM
            return -1
          }
          kernel.mode = argument.load(fromByteOffset: 4, as: Int32.self)
          kernel.modes.append(kernel.mode)
        case 0xc008_70a4:
          let timeout = argument.load(fromByteOffset: 48 + 8, as: Int32.self)
          if timeout > 0 {
            guard !kernel.coming.isEmpty else {
              errno = ETIMEDOUT
              return -1
            }
            kernel.fetched = kernel.coming.removeFirst()
          }
          argument.storeBytes(of: kernel.fetched, as: PPSSession.Fetched.self)
        default:
          errno = ENOTTY
          return -1
        }
        return 0
      }
    }
  }

  private func reader() throws -> PPSReader {
    let session = try PPSSession(try PPSDevice.find("0", roots: roots), roots, request)
    let reader = PPSReader(session, losses, StreamID(3), EpochClock(offset: 1_000_000 * second)) { [kernel] in
      kernel.withLock(\.now)
    }
    return reader
  }

  /// Each reading as `STREAM TIME VALUES FLAGS`.
  private func read(_ reader: PPSReader, limit: Int = 100) throws -> [String] {
    var batch: [Reading] = []
    try reader.read(ready: [], limit: limit, into: &batch)
    return batch.map { reading in
      "\(reading.stream.index) \(reading.time - 1_000_000 * second) \(reading.values.map(\.description).joined(separator: ","))"
        + (reading.flags.contains(.gapBefore) ? " gap" : "")
        + (reading.flags.contains(.uncertainTime) ? " uncertain" : "")
    }
  }

  /// - Parameters:
  ///   - wall: The time of the edge by the wall clock.
  ///   - now: The time of the read by the monotonic clock; the wall clock is 500 s before it.
  private func assert(_ sequence: UInt32, _ wall: Int64, at now: Int64, ahead: Int64 = 500) {
    kernel.withLock { kernel in
      kernel.fetched.assertSequence = sequence
      kernel.fetched.assert = .init(seconds: wall / second, nanoseconds: Int32(wall % second))
      kernel.now = WallTimes.Look(monotonic: now, wall: now + ahead * second)
    }
  }

  func testStructuresAreThoseOfTheKernel() {
    XCTAssertEqual(MemoryLayout<PPSSession.Time>.size, 16)
    XCTAssertEqual(MemoryLayout<PPSSession.Fetched>.size, 64)
    XCTAssertEqual(MemoryLayout<PPSSession.Fetched>.offset(of: \.mode), 40)
    XCTAssertEqual(MemoryLayout<PPSSession.Fetched>.offset(of: \.timeout), 48)
  }

  func testADeviceIsFoundByNumberNameAndPath() throws {
    XCTAssertEqual(PPSDevice.list(roots: roots).map(\.id), ["pps0", "pps10"])
    for text in ["10", "pps10", "/dev/pps10"] {
      XCTAssertEqual(try PPSDevice.find(text, roots: roots).line, "/dev/ttyS0")
    }
    XCTAssertNil(try PPSDevice.find("0", roots: roots).line)
    XCTAssertThrowsError(try PPSDevice.find("1", roots: roots)) {
      XCTAssertEqual("\($0)", "cannot open PPS device 1: there is no such device; there is pps0 (ktimer), pps10 (gps)")
    }
  }

  func testPulsesBecomeReadings() throws {
    assert(7, 509 * second, at: 9 * second + 5)
    let reader = try reader()
    XCTAssertEqual(try read(reader), [], "it was before the recording")
    assert(8, 510 * second + 12, at: 10 * second + 50)
    XCTAssertEqual(try read(reader), ["3 10000000012 8,12"])
    assert(9, 511 * second - 3, at: 11 * second + 50)
    XCTAssertEqual(try read(reader), ["3 10999999997 9,-3"])
    XCTAssertEqual(try read(reader), [], "nothing new")
    XCTAssertEqual(losses.all, [])
  }

  func testAPulseMayComeDuringTheWait() throws {
    let reader = try reader()
    XCTAssertEqual(try read(reader), [])
    kernel.withLock { kernel in
      kernel.coming = [.init(assertSequence: 1, assert: .init(seconds: 500))]
      kernel.now = WallTimes.Look(monotonic: 1, wall: 500 * second + 1)
    }
    XCTAssertEqual(try read(reader).count, 1)
  }

  func testMissingNumbersAreLosses() throws {
    assert(.max - 1, 500 * second, at: 0)
    let reader = try reader()
    XCTAssertEqual(try read(reader), [])
    assert(2, 504 * second, at: 4 * second)
    XCTAssertEqual(try read(reader), ["3 4000000000 2,0 gap"])
    XCTAssertEqual(losses[.skipped].count, 3)
    assert(3, 505 * second, at: 5 * second)
    XCTAssertEqual(try read(reader), ["3 5000000000 3,0"])
  }

  /// The wall clock is set by 100 s between two reads.
  func testASetOfTheClockMakesNoStep() throws {
    assert(1, 501 * second, at: second)
    let reader = try reader()
    XCTAssertEqual(try read(reader), [])
    assert(2, 602 * second, at: 2 * second + 10, ahead: 600)
    XCTAssertEqual(try read(reader), ["3 2000000000 2,0 uncertain"])
    assert(3, 603 * second, at: 3 * second + 10, ahead: 600)
    XCTAssertEqual(try read(reader), ["3 3000000000 3,0"])
  }

  func testClearEdgesAreAStreamOfTheirOwn() throws {
    kernel.withLock { ($0.mode, $0.capabilities) = (1, 3) }
    assert(1, 501 * second, at: second)
    let reader = try reader()
    XCTAssertEqual(try read(reader), [])
    assert(2, 502 * second, at: 2 * second + second / 2)
    kernel.withLock { kernel in
      kernel.fetched.clearSequence = 2
      kernel.fetched.clear = .init(seconds: 502, nanoseconds: 100_000_000)
    }
    XCTAssertEqual(try read(reader, limit: 1), ["3 2000000000 2,0"])
    XCTAssertEqual(try read(reader), ["4 2100000000 2,100000000 gap"])
    XCTAssertEqual(kernel.withLock(\.modes), [3])
    reader.close()
    XCTAssertEqual(kernel.withLock(\.modes), [3, 1], "what was changed is restored")
  }

  func testEdgesThatMayNotBeSetAreLeftOut() throws {
    kernel.withLock { ($0.mode, $0.capabilities, $0.mayBeSet) = (1, 3, false) }
    let pulses = try Publishers.PPSPulses("0", StreamID(0), roots, request)
    XCTAssertEqual(pulses.streams.map(\.name), ["pps0"])
    XCTAssertEqual(pulses.streams[0].channels.map(\.name), ["sequence", "offset"])
    XCTAssertEqual(pulses.streams[0].channels[1].unit, "ns")
    kernel.withLock { $0.mode = 0 }
    XCTAssertThrowsError(try Publishers.PPSPulses("0", StreamID(0), roots, request)) {
      XCTAssertTrue("\($0)".contains("it captures neither edge"), "\($0)")
    }
  }

  func testARemovedDeviceEndsThePulses() throws {
    let reader = try reader()
    XCTAssertEqual(try read(reader), [])
    try FileManager.default.removeItem(atPath: "\(folder.path)/dev/pps0")
    XCTAssertThrowsError(try read(reader)) { XCTAssertEqual(($0 as? SluiceError)?.code, .disconnected) }
  }

  func testAPublisherDeliversAndFinishes() throws {
    let pulses = try Publishers.PPSPulses("0", StreamID(0), roots, request)
    let got = expectation(description: "one")
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      got.fulfill()
      return .none
    }
    kernel.withLock { $0.coming = [.init(assertSequence: 1, assert: .init(seconds: 1))] }
    pulses.subscribe(subscriber)
    wait(for: [got], timeout: 60)
    pulses.finish()
    pulses.teardown.wait()
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }
}
