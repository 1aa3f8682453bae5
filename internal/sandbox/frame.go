package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is a mark, the length of what follows in four bytes, and that.
const frameHead = 5

// Marks of frames.
const (
	markRequest  = 'q'
	markResponse = 'r'
	markLast     = 'l' // a response after which the child wants to be replaced
	markHello    = 'h'
)

func writeFrame(w io.Writer, mark byte, body []byte) error {
	frame := make([]byte, frameHead, frameHead+len(body))
	frame[0] = mark
	binary.BigEndian.PutUint32(frame[1:], uint32(len(body)))
	_, err := w.Write(append(frame, body...))
	return err
}

// readFrame reads a frame of at most limit bytes. It is io.EOF when there is
// none.
func readFrame(r io.Reader, limit int) (mark byte, body []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if int64(size) > int64(limit) {
		return 0, nil, fmt.Errorf("a message of %d bytes, where %d are allowed", size, limit)
	}
	body = make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return 0, nil, errors.Join(errors.New("a message that breaks off"), err)
	}
	return head[0], body, nil
}
