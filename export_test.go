package ogdl

// AddFile is addFile for tests.
var AddFile = addFile
