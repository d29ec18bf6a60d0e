import SluiceReadings

/// The end of a sentence about an unknown name: `"throtle"; did you mean throttle?`
func unknown(_ name: String, among names: [String]) -> String {
  let hint = nearest(to: name, among: names).map { "did you mean \($0)?" }
  return "\(quoted(name, atMost: 64)); \(hint ?? "there are \(names.joined(separator: ", "))")"
}
