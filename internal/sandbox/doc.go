// Package sandbox runs code that is not trusted in a child process. The child
// has bounds on its memory, stack, processor time and output, and it is killed
// when a request takes too long, whatever it is doing then.
//
// The child is usually the running program, started once more: its main calls
// [Main] before anything else, which serves requests if the process is such a
// child. A request and its response are bytes; what they mean is between the
// two sides. After a child was killed the next request starts another.
//
// The child has an empty environment but for what is given, the root of the
// file system as working directory, and no open files of its parent but the
// three standard ones, which lead to the parent. It ends when the parent does,
// however that ends. What it does not have is a barrier against reading files
// or opening connections: code in it must not be able to ask for that, as
// code of an interpreter without such functions cannot.
package sandbox
