/// What an operator of your own is made of: see <doc:WritingAnOperator>.
///
/// A namespace, so that these names stand in the way of none of yours.
public enum Operators {}
