/// Elements in numbered places, separate from the small state that is read for every element.
@usableFromInline
struct HeldElements<Element> {
  @usableFromInline var places: [Element?] = []
  @usableFromInline var free: [Int] = []

  @inlinable init() {}

  /// - Returns: Its place.
  @inlinable mutating func put(_ element: Element) -> Int {
    guard let place = free.popLast() else {
      places.append(element)
      return places.count - 1
    }
    places[place] = element
    return place
  }

  @inlinable mutating func take(_ place: Int) -> Element? {
    let element = places[place].take()
    free.append(place)
    if free.count == places.count {
      let isSmall = places.count <= 64
      places.removeAll(keepingCapacity: isSmall)
      free.removeAll(keepingCapacity: isSmall)
    }
    return element
  }
}
