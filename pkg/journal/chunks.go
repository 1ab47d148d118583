package journal

// ChunkWriter is a writer that [Reader.Copy] and [Reader.Follow] tell where each
// chunk came from: the stream, 0 in a log without index, and the offset in the
// view, from which reading goes on as well.
type ChunkWriter interface {
	WriteChunk(s Stream, offset int64, b []byte) (int, error)
}

func (c *cursor) hand(s Stream, offset int64, b []byte) (int, error) {
	if w, ok := c.w.(ChunkWriter); ok {
		return w.WriteChunk(s, offset, b)
	}
	return c.w.Write(b)
}

// handing hands out plain bytes.
type handing struct {
	*cursor
	at int64
}

func (h *handing) Write(b []byte) (int, error) {
	n, err := h.hand(0, h.at, b)
	h.at += int64(n)
	return n, err
}
