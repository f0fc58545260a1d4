package nested

// Mean is exported for tests.
var Mean = mean
