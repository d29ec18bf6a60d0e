/// A key of an object of a plan, or the index of an element.
package enum PlanKey: Equatable, Sendable, ExpressibleByStringLiteral {
  case name(String)
  case index(Int)

  package init(_ name: String) { self = .name(name) }
  package init(_ index: Int) { self = .index(index) }
  package init(stringLiteral name: String) { self = .name(name) }

  /// The key as it is written in a plan.
  package var text: String {
    switch self {
    case .name(let name): name
    case .index(let index): "\(index)"
    }
  }
}
