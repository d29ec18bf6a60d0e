/// The kit for writing your own operator: see <doc:WritingAnOperator>.
///
/// A namespace, so that these names do not conflict with yours.
public enum Operators {}
