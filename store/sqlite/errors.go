package sqlite

import (
	"errors"
	"fmt"

	"github.com/detent-run/detent/durable"
	"github.com/detent-run/detent/statechart"
)

// Codes of errors of [Open] and of the verbs on a whole file.
const (
	CodeNoStore     statechart.Code = "no_store"            // there is no file of the name
	CodeNotStore    statechart.Code = "not_a_store"         // a file that Detent did not make
	CodeNewer       statechart.Code = "store_newer"         // made by a newer Detent
	CodeNetwork     statechart.Code = "network_file_system" // locks and syncs cannot be trusted there
	CodeLibrary     statechart.Code = "sqlite_too_old"      // the SQLite that was built in
	CodeUnavailable statechart.Code = "store_unavailable"   // the file cannot be opened
	CodeExists      statechart.Code = "file_exists"         // a backup never overwrites
)

func refuse(code statechart.Code, cause error, hint, format string, args ...any) error {
	return &statechart.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Cause: cause}
}

// errClosed is returned by everything after Close.
var errClosed = errors.New("the store is closed")

// SQLite's result codes that mean something here; those over 255 are extended
// ones.
const (
	resultBusy       = 5
	resultReadOnly   = 8
	resultIO         = 10
	resultCorrupt    = 11
	resultFull       = 13
	resultCannotOpen = 14
	resultConstraint = 19
	resultNotDB      = 26
	resultIOShmSize  = resultIO | 19<<8
)

// known gives an error of the driver the meaning that the engine asks for. An
// I/O error means ErrBroken only where broken says so: in what writes.
func known(err error, broken bool) error {
	if err == nil {
		return nil
	}
	code := resultOf(err)
	switch {
	case code == resultIOShmSize, code&0xff == resultFull:
		// The shared index of the log could not grow: the disk is full.
		return fmt.Errorf("%w: %w", durable.ErrFull, err)
	case code&0xff == resultReadOnly:
		return refuse(CodeUnavailable, err, "see who may write the file, what stands beside it, and their directory", "the store cannot be written")
	case code&0xff == resultCorrupt, code&0xff == resultNotDB:
		return fmt.Errorf("%w: %w", durable.ErrDamaged, err)
	case code&0xff == resultIO && broken:
		return fmt.Errorf("%w: %w", durable.ErrBroken, err)
	}
	return err
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", durable.ErrDamaged, fmt.Sprintf(format, args...))
}
