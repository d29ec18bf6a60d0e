/// A number with thousands separators: `1,234,567` for `1234567`.
package func grouped(_ number: Int) -> String {
  let digits = String(number.magnitude).utf8
  var text = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
    text.unicodeScalars.append(Unicode.Scalar(digit))
  }
  return text
}
