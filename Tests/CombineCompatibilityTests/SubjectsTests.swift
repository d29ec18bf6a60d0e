import Sluice
import XCTest

final class SubjectsTests: XCTestCase {
  private var cancellables = Set<AnyCancellable>()

  func testPassthroughSubject() {
    let subject = PassthroughSubject<String, TestError>()
    var log: [String] = []
    subject.sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append($0) }).store(in: &cancellables)
    subject.send("a")
    subject.send(completion: .failure(.first))
    subject.send("b")
    XCTAssertEqual(log.count, 2)
    XCTAssertEqual(log[0], "a")
    let signal = PassthroughSubject<Void, Never>()
    var count = 0
    signal.sink { count += 1 }.store(in: &cancellables)
    signal.send()
    XCTAssertEqual(count, 1)
  }

  func testCurrentValueSubject() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var values: [Int] = []
    subject.dropFirst().sink { values.append($0) }.store(in: &cancellables)
    subject.value += 1
    subject.send(subject.value * 10)
    XCTAssertEqual(values, [2, 20])
    let erased: AnyPublisher<Int, Never> = subject.eraseToAnyPublisher()
    erased.prefix(1).sink { values.append($0) }.store(in: &cancellables)
    XCTAssertEqual(values, [2, 20, 20])
  }

  func testASubjectAsSubscriber() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    subject.sink { values.append($0) }.store(in: &cancellables)
    let cancellable: AnyCancellable = [1, 2].publisher.subscribe(subject)
    cancellable.cancel()
    XCTAssertEqual(values, [1, 2])
    let anySubject = PassthroughSubject<Int, Never>()
    anySubject.sink { values.append($0) }.store(in: &cancellables)
    Just(3).subscribe(AnySubscriber(anySubject))
    XCTAssertEqual(values, [1, 2, 3])
  }

  /// A subject of one's own.
  private final class Relay<Output>: Subject {
    typealias Failure = Never
    private let inner = PassthroughSubject<Output, Never>()
    var sent = 0
    func send(_ value: Output) {
      sent += 1
      inner.send(value)
    }
    func send(completion: Subscribers.Completion<Never>) { inner.send(completion: completion) }
    func send(subscription: Subscription) { inner.send(subscription: subscription) }
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      inner.receive(subscriber: subscriber)
    }
  }

  func testASubjectOfOnesOwn() {
    let relay = Relay<Int>()
    var values: [Int] = []
    relay.sink { values.append($0) }.store(in: &cancellables)
    [1, 2].publisher.subscribe(relay).store(in: &cancellables)
    XCTAssertEqual(values, [1, 2])
    XCTAssertEqual(relay.sent, 2)
  }

  private class Model: ObservableObject {
    @Published var count = 0
    @Published private(set) var name: String
    init(name: String) { self.name = name }
    func rename(_ name: String) { self.name = name }
  }

  private final class Submodel: Model {
    @Published var flag = false
  }

  func testPublished() {
    let model = Model(name: "a")
    var log: [String] = []
    model.$count.sink { log.append("count \($0), stored \(model.count)") }.store(in: &cancellables)
    model.$name.combineLatest(model.$count) { "\($0)\($1)" }.dropFirst().sink { log.append($0) }
      .store(in: &cancellables)
    model.count = 1
    model.rename("b")
    XCTAssertEqual(log, ["count 0, stored 0", "count 1, stored 0", "a1", "b1"])
    let publisher: Published<Int>.Publisher = model.$count
    XCTAssertEqual(history(publisher), ["1"])
  }

  func testObservableObject() {
    let model = Submodel(name: "a")
    var changes = 0
    model.objectWillChange.sink { changes += 1 }.store(in: &cancellables)
    model.count = 1
    model.flag = true
    model.rename("b")
    XCTAssertEqual(changes, 3)
    let publisher: ObservableObjectPublisher = model.objectWillChange
    publisher.send()
    XCTAssertEqual(changes, 4)
  }

  private final class Manual: ObservableObject {
    let objectWillChange = PassthroughSubject<String, Never>()
    var text = "" { willSet { objectWillChange.send(newValue) } }
  }

  func testAnObjectWillChangeOfOnesOwn() {
    func changes<O: ObservableObject>(of object: O, _ count: @escaping () -> Void) -> AnyCancellable {
      object.objectWillChange.sink { _ in count() }
    }
    let manual = Manual()
    var count = 0
    changes(of: manual) { count += 1 }.store(in: &cancellables)
    manual.text = "x"
    XCTAssertEqual(count, 1)
  }

  func testAssign() {
    let model = Model(name: "a")
    let numbers = PassthroughSubject<Int, Never>()
    numbers.assign(to: &model.$count)
    numbers.send(5)
    XCTAssertEqual(model.count, 5)
    var cancellable: AnyCancellable? = numbers.map { $0 * 2 }.assign(to: \.count, on: model)
    XCTAssertNotNil(cancellable)
    numbers.send(6)
    XCTAssertTrue([6, 12].contains(model.count))
    cancellable = nil
    numbers.send(7)
    XCTAssertEqual(model.count, 7)
  }
}
