struct Boom: Error, Equatable {}
