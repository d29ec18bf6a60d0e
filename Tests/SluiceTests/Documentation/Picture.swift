import Foundation
import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// A picture of an operator in the documentation: a line for each input, then a line for each output.
struct Picture {
  struct Line {
    let label: String
    /// What happens, each with its column: a value, a group of values in brackets, `|` or `x`.
    let events: [Event]
  }

  struct Event: Equatable, CustomStringConvertible {
    let column: Int
    let what: String
    var description: String { "\(column) \(what)" }
  }

  let inputs: [Line]
  /// What the operator asks of its first input: a number, or `*` for everything.
  let asked: Line?
  let outputs: [Line]
  let width: Int
  /// The method that has it in its documentation.
  let method: String

  /// - Throws: A sentence, if the lines do not stand as they should.
  init(_ lines: [String], method: String) throws {
    guard let first = lines.first, let gap = first.range(of: "  ", options: .backwards) else {
      throw Unreadable("\(method): the first line is a name, two spaces or more, and what happens")
    }
    let start = first.distance(from: first.startIndex, to: gap.upperBound)
    let read = try lines.map { line in
      let label = line.prefix(start)
      guard label.hasSuffix("  "), line.count > start else {
        throw Unreadable("\(method): \(line) is not in its column")
      }
      return Line(
        label: label.trimmingCharacters(in: .whitespaces), events: try Self.events(Array(line.dropFirst(start))))
    }
    outputs = read.filter { $0.label.contains("(") }
    asked = read.first { $0.label == "asked" }
    inputs = read.filter { !$0.label.contains("(") && $0.label != "asked" }
    let ordered = inputs + (asked.map { [$0] } ?? []) + outputs
    guard read.map(\.label) == ordered.map(\.label) else { throw Unreadable("\(method): an input is last") }
    width = lines.map { $0.count - start }.max() ?? 0
    self.method = method
  }

  private static func events(_ marks: [Character]) throws -> [Event] {
    var events: [Event] = []
    var index = 0
    var group: Int?  // the column of an open parenthesis
    while index < marks.count {
      defer { index += 1 }
      switch marks[index] {
      case "-", " ": if group != nil { throw Unreadable("time passes within parentheses") }
      case "(": group = index
      case ")": group = nil
      case "[":
        guard let end = marks[index...].firstIndex(of: "]") else { throw Unreadable("no ] follows") }
        events.append(Event(column: group ?? index, what: String(marks[index...end])))
        index = end
      case let mark: events.append(Event(column: group ?? index, what: String(mark)))
      }
    }
    return events
  }

  /// As a picture shows them.
  static func line(_ events: [Event]) -> String {
    var line = ""
    for (column, group) in Dictionary(grouping: events, by: \.column).sorted(by: { $0.key < $1.key }) {
      if line.count > column { return "what happens has no room: \(events)" }
      line += String(repeating: "-", count: column - line.count)
      let marks = group.map(\.what).joined()
      line += group.count == 1 ? marks : "(\(marks))"
    }
    return line
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

extension Picture {
  typealias Make = ([AnyPublisher<String, Boom>], VirtualTimeScheduler) -> AnyPublisher<String, Boom>

  /// What comes out of an operator in virtual time.
  func run(_ make: Make) -> [Event] { runWithDemand(make).output }

  /// The same, and what the operator asks of its first input.
  func runWithDemand(_ make: Make) -> (output: [Event], asked: [Event]) {
    let time = VirtualTimeScheduler()
    let subjects = inputs.filter { $0.label != "demand" }.map { _ in PassthroughSubject<String, Boom>() }
    let demand = inputs.first { $0.label == "demand" }
    var events: [Event] = []
    var asked: [Int: Subscribers.Demand] = [:]
    func note(_ what: String) {
      XCTAssertEqual(time.now.nanoseconds % Self.column, 0, "\(method): something happens between two columns")
      events.append(Event(column: Int(time.now.nanoseconds / Self.column), what: what))
    }
    let subscriber = TestSubscriber<String, Boom>(
      initial: demand == nil ? .unlimited : .none,
      answer: {
        note($0)
        return .none
      },
      ended: { note($0 == .finished ? "|" : "x") })
    func schedule(_ event: Event, _ action: @escaping () -> Void) {
      time.schedule(after: .init(nanoseconds: Int64(event.column) * Self.column), action)
    }
    for (line, subject) in zip(inputs.filter({ $0.label != "demand" }), subjects) {
      for event in line.events {
        schedule(event) {
          switch event.what {
          case "|": subject.send(completion: .finished)
          case "x": subject.send(completion: .failure(Boom()))
          case let value: subject.send(value)
          }
        }
      }
    }
    for event in demand?.events ?? [] {
      schedule(event) { subscriber.request(.max(Int(event.what) ?? 0)) }
    }
    let streams = subjects.enumerated().map { index, subject in
      guard index == 0 else { return subject.eraseToAnyPublisher() }
      let watched = subject.handleEvents(receiveRequest: {
        asked[Int(time.now.nanoseconds / Self.column), default: .none] += $0
      })
      return watched.eraseToAnyPublisher()
    }
    make(streams, time).subscribe(subscriber)
    time.advance(to: .init(nanoseconds: Int64(width + 50) * Self.column))
    XCTAssertEqual(subscriber.violations, [], method)
    subscriber.cancel()
    let demands = asked.sorted { $0.key < $1.key }.map { column, demand in
      Event(column: column, what: demand.max.map { "\($0)" } ?? "*")
    }
    return (events, demands)
  }

  private static let column: Int64 = 10_000_000

  /// The pictures in the documentation of methods, in a folder of sources.
  static func all(in folder: URL) throws -> [Picture] {
    var pictures: [Picture] = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      var blocks: [[String]] = []
      var isInside = false
      for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
        let line = line.drop { $0 == " " }
        if let declaration = line.range(of: "public func ") {
          let method = line[declaration.upperBound...].prefix { $0.isLetter || $0.isNumber }
          pictures += try blocks.map { try Picture($0, method: String(method)) }
          blocks = []
        }
        guard line.hasPrefix("/// ") else { continue }
        let text = String(line.dropFirst(4))
        if text == "```text" {
          isInside = true
          blocks.append([])
        } else if text == "```" {
          isInside = false
        } else if isInside {
          blocks[blocks.count - 1].append(text)
        }
      }
      if !blocks.isEmpty { throw Unreadable("\(file.lastPathComponent): a picture that belongs to no method") }
    }
    return pictures
  }
}
