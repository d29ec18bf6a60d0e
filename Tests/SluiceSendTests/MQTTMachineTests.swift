#if SLUICE_MQTT
  import SluiceReadings
  import XCTest

  @testable import SluiceSend

  final class MQTTMachineTests: XCTestCase {
    private let error = SluiceError(.disconnected, "send to", "mqtt://h/t", because: "x")
    private let second: Int64 = 1_000_000_000
    private var machine = MQTTMachine(stays: false, timeout: 30_000_000_000, seed: 1)
    private var number = 0

    private func open(_ receiveMaximum: Int = 20, _ notices: [MQTTMachine.Notice] = []) {
      var limits = MQTTLimits()
      limits.receiveMaximum = receiveMaximum
      machine.connected(limits, notices, at: 0)
    }

    /// Connects, and has the broker take readings, so that the whole window is used from now on.
    private func begin(_ receiveMaximum: Int = 20) {
      machine.add(1_000, [1_000..<1_001])
      XCTAssertEqual(machine.next(at: 0), .connect)
      open(receiveMaximum)
      for message in publish().keys { _ = machine.answered(message, .acknowledged()) }
      XCTAssertEqual(machine.next(at: 0), .answer(1_000, .acknowledged()))
      number = 0
    }

    /// Publishes what is due, and returns the numbers of the readings by the number of the message.
    private func publish(at now: Int64 = 0) -> [Int: Range<UInt64>] {
      var published: [Int: Range<UInt64>] = [:]
      while true {
        switch machine.next(at: now) {
        case .publish(let place, let numbers):
          number += 1
          machine.published(place, as: number, at: now)
          published[number] = numbers
        case .notice(let notice):
          number += 1
          machine.noticed(notice, as: number)
        default: return published
        }
      }
    }

    func testItConnectsOnlyForABatch() {
      XCTAssertEqual(machine.next(at: 0), .rest(until: .max))
      machine.add(0, [0..<10])
      XCTAssertEqual(machine.next(at: 0), .connect)
      XCTAssertEqual(machine.next(at: 0), .rest(until: MQTTMachine.connectLimit))
      XCTAssertEqual(machine.next(at: MQTTMachine.connectLimit), .drop)
      machine.lost(error, at: 0)
      XCTAssertEqual(machine.next(at: 0), .answer(0, .wait(error)))
      XCTAssertEqual(machine.next(at: 0), .rest(until: .max))
    }

    func testABatchIsAnsweredWhenAllItsMessagesAre() {
      begin()
      machine.add(0, [0..<10, 10..<12])
      let published = publish()
      XCTAssertEqual(published, [1: 0..<10, 2: 10..<12])
      XCTAssertEqual(machine.answered(2, .acknowledged()), .readings(10..<12))
      XCTAssertEqual(machine.next(at: 0), .rest(until: 30 * second))
      XCTAssertEqual(machine.answered(1, .acknowledged()), .readings(0..<10))
      XCTAssertEqual(machine.next(at: 0), .answer(0, .acknowledged()))
      XCTAssertNil(machine.answered(1, .acknowledged()))
    }

    func testTheWindowIsBelowThatOfTheBroker() {
      for (receiveMaximum, window) in [(5, 4), (1, 1), (65_535, MQTTMachine.mostUnderWay)] {
        machine = MQTTMachine(stays: false, timeout: second, seed: 1)
        begin(receiveMaximum)
        for batch in 0..<40 { machine.add(UInt64(batch), [UInt64(batch)..<UInt64(batch) + 1]) }
        XCTAssertEqual(publish().count, window)
        _ = machine.answered(1, .acknowledged())
        XCTAssertEqual(machine.next(at: 0), .answer(0, .acknowledged()))
        XCTAssertEqual(publish().count, 1)
      }
    }

    func testOneMessageAtATimeUntilTheBrokerHasTakenReadings() {
      machine.add(0, [0..<1, 1..<2, 2..<3])
      _ = machine.next(at: 0)
      open()
      XCTAssertEqual(publish(), [1: 0..<1])
      _ = machine.answered(1, .acknowledged())
      XCTAssertEqual(publish().count, 2)
    }

    func testARefusalThatIsKnownCostsNoPause() {
      machine.add(0, [0..<1])
      _ = machine.next(at: 0)
      open(20, [.state])
      XCTAssertEqual(publish(), [:])
      XCTAssertEqual(machine.answered(1, .wait(error)), .notice(.state))
      machine.again(at: 7)
      XCTAssertEqual(machine.next(at: 7), .connect)
      open()
      XCTAssertEqual(Array(publish().values), [0..<1])
    }

    func testMetadataComesFirst() {
      machine.add(0, [0..<1, 1..<2, 2..<3])
      _ = machine.next(at: 0)
      open(3, [.state, .metadata])
      XCTAssertEqual(publish().count, 0)
      XCTAssertEqual(machine.answered(1, .acknowledged()), .notice(.state))
      XCTAssertEqual(publish().count, 0)
      XCTAssertEqual(machine.answered(2, .acknowledged()), .notice(.metadata))
      XCTAssertEqual(publish(), [3: 0..<1])
    }

    func testWhatTheBrokerHasIsNotSentAgain() {
      begin()
      machine.add(0, [0..<10, 10..<12, 12..<20])
      _ = publish()
      _ = machine.answered(1, .acknowledged())
      _ = machine.answered(2, .wait(error))
      _ = machine.answered(3, .acknowledged())
      XCTAssertEqual(machine.next(at: 0), .answer(0, .wait(error)))
      machine.add(0, [0..<10, 10..<12, 12..<20])
      XCTAssertEqual(Array(publish().values), [10..<12])
      _ = machine.answered(4, .acknowledged())
      XCTAssertEqual(machine.next(at: 0), .answer(0, .acknowledged()))
      // It does not remember it for ever: later the same numbers may be sent again on purpose.
      machine.add(0, [0..<10, 10..<12, 12..<20])
      XCTAssertEqual(publish().count, 3)
    }

    func testACutCostsOneAnswerForEachBatch() {
      begin()
      machine.add(0, [0..<10, 10..<20])
      machine.add(20, [20..<30])
      _ = publish()
      _ = machine.answered(1, .acknowledged())
      machine.lost(error, at: 0)
      XCTAssertEqual(machine.next(at: 0), .answer(0, .wait(error)))
      XCTAssertEqual(machine.next(at: 0), .answer(20, .wait(error)))
      XCTAssertNil(machine.answered(2, .acknowledged()), "an answer of an old connection")
      machine.add(0, [0..<10, 10..<20])
      XCTAssertEqual(machine.next(at: 0), .connect)
      open()
      XCTAssertEqual(Array(publish().values), [10..<20])
    }

    func testWhatIsTooLargeCountsMoreThanWhatWaits() {
      begin()
      machine.add(0, [0..<10, 10..<20])
      _ = publish()
      _ = machine.answered(1, .wait(error))
      _ = machine.answered(2, .tooLarge(error))
      XCTAssertEqual(machine.next(at: 0), .answer(0, .tooLarge(error)))
      machine.add(0, [0..<10])
      guard case .publish(let place, _) = machine.next(at: 0) else { return XCTFail("nothing published") }
      machine.failed(place, .tooLarge(error))
      XCTAssertEqual(machine.next(at: 0), .answer(0, .tooLarge(error)))
    }

    func testABrokerThatDoesNotAcknowledgeIsLeft() {
      begin()
      machine.add(0, [0..<10])
      _ = publish(at: 5)
      XCTAssertEqual(machine.next(at: 30 * second + 4), .rest(until: 30 * second + 5))
      XCTAssertEqual(machine.next(at: 30 * second + 5), .drop)
    }

    func testItComesBackToSayThatTheBoardIsThere() {
      machine = MQTTMachine(stays: true, timeout: second, seed: 1)
      XCTAssertEqual(machine.next(at: 0), .rest(until: .max))
      machine.add(0, [0..<1])
      XCTAssertEqual(machine.next(at: 0), .connect)
      open()
      _ = publish()
      _ = machine.answered(1, .acknowledged())
      _ = machine.next(at: 0)
      machine.lost(error, at: 0)
      guard case .rest(let until) = machine.next(at: 0) else { return XCTFail("it does not wait") }
      XCTAssertTrue((second / 2...second).contains(until))
      XCTAssertEqual(machine.next(at: until), .connect)
    }

    /// Whatever the broker answers, and whenever the connection is cut: each batch is answered once, acknowledged only if each of
    /// its messages was, and never more messages are under way than the window allows.
    func testAnyOrder() {
      var random = SplitMix(seed: 7)
      for run in 0..<300 {
        machine = MQTTMachine(stays: run % 2 == 0, timeout: second, seed: UInt64(run))
        var (waiting, underWay, have): ([UInt64: [Range<UInt64>]], [Int: Range<UInt64>], Set<UInt64>) = ([:], [:], [])
        var (next, now, number, window): (UInt64, Int64, Int, Int) = (0, 0, 0, 0)
        var again: [(UInt64, [Range<UInt64>])] = []
        for _ in 0..<400 {
          now += Int64(random.next() % 1_000_000)
          switch random.next() % 8 {
          case 0, 1:
            var parts: [Range<UInt64>] = []
            let first = next
            for _ in 0...random.next() % 3 {
              let count = 1 + random.next() % 4
              parts.append(next..<next + count)
              next += count
            }
            machine.add(first, parts)
            waiting[first] = parts
          case 2:
            if let (first, parts) = again.popLast() {
              machine.add(first, parts)
              waiting[first] = parts
            }
          case 3 where random.next() % 8 == 0:
            machine.lost(error, at: now)
            underWay = [:]
          case 3, 4, 5:
            guard let (message, numbers) = underWay.first else { break }
            underWay[message] = nil
            if random.next() % 4 == 0 {
              _ = machine.answered(message, .wait(error))
            } else {
              have.formUnion(numbers)
              XCTAssertEqual(machine.answered(message, .acknowledged()), .readings(numbers))
            }
          default:
            switch machine.next(at: now) {
            case .connect:
              window = 1 + Int(random.next() % 6)
              var limits = MQTTLimits()
              limits.receiveMaximum = window + 1
              machine.connected(limits, [], at: now)
            case .publish(let place, let numbers):
              number += 1
              machine.published(place, as: number, at: now)
              underWay[number] = numbers
              XCTAssertLessThanOrEqual(underWay.count, window)
            case .answer(let first, let answer):
              guard let parts = waiting.removeValue(forKey: first) else { return XCTFail("answered twice") }
              if case .acknowledged = answer {
                XCTAssertTrue(parts.allSatisfy { $0.allSatisfy(have.contains) }, "a part is missing")
              } else {
                again.append((first, parts))
              }
            case .drop:
              machine.lost(error, at: now)
              underWay = [:]
            case .notice, .rest: break
            }
          }
        }
      }
    }
  }

  private struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
  }
#endif
