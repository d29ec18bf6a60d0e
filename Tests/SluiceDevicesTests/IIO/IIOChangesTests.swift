#if os(Linux)
  import CSystemCalls
  import Foundation
  import Sluice
  import XCTest

  @testable import SluiceDevices

  final class IIOChangesTests: XCTestCase {
    /// An attribute behind a slow bus takes as long as it takes: who waits for its turn sleeps, as a FIFO that nobody
    /// reads shows here.
    func testTurnsAreWaitedForAsleep() throws {
      let fixture = SysfsFixture()
      let device = try IIODevice.find("0", roots: fixture.roots)
      let attribute = "\(fixture.root)/sys/bus/iio/devices/iio:device0/buffer/length"
      nonisolated(unsafe) let slow = try IIOChanges(of: device, for: "scans", roots: fixture.roots)
      nonisolated(unsafe) let next = try IIOChanges(of: device, for: "events", roots: fixture.roots)
      try slow.set("length", of: device.buffer, to: "4")
      XCTAssertEqual(unlink(attribute), 0)
      XCTAssertEqual(mkfifo(attribute, 0o600), 0)

      let (writer, waiter) = (Locked<Int32>(0), Locked<Int32>(0))
      let undoing = DispatchGroup()
      for (thread, changes) in [(writer, slow), (waiter, next)] {
        nonisolated(unsafe) let changes = changes
        undoing.enter()
        Thread.detachNewThread {
          thread.withLock { $0 = thread_number() }
          changes.undo()
          undoing.leave()
        }
        if changes === slow { try waitUntil(writer, isIn: number_of_openat()) }
      }
      defer {
        let reader = open(attribute, O_RDONLY | O_NONBLOCK)
        XCTAssertEqual(undoing.wait(timeout: .now() + 60), .success)
        close(reader)
      }
      try waitUntil(waiter, isIn: number_of_futex())
    }

    /// Until the thread is in this system call (proc_pid_syscall(5)).
    private func waitUntil(_ thread: Locked<Int32>, isIn call: Int) throws {
      let deadline = DispatchTime.now() + 60
      var seen = Set<String>()
      while DispatchTime.now() < deadline {
        let path = "/proc/self/task/\(thread.withLock { $0 })/syscall"
        if let current = try? String(contentsOfFile: path, encoding: .utf8).split(separator: " ").first {
          if current == "\(call)" { return }
          seen.insert(String(current))
        } else if !FileManager.default.fileExists(atPath: "/proc/self/syscall") {
          throw XCTSkip("the kernel does not tell a thread's system call")
        }
        sched_yield()
      }
      XCTFail("the thread was seen in the system calls \(seen.sorted()), not in \(call)")
    }
  }
#endif
