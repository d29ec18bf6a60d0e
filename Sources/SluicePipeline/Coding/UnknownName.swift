import SluiceReadings

/// The end of a sentence about an unknown name: `"throtle"; did you mean throttle?`
func unknown(_ name: String, among names: [String]) -> String {
  let hint = nearest(to: name, among: names).map { "did you mean \($0)?" }
  return "\(PlanValue.text(name)); \(hint ?? "there are \(names.joined(separator: ", "))")"
}
