package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
)

// survey is what lies there, read and judged before anything is changed.
type survey struct {
	scan scanner
	hash hashes

	// What was announced and not committed, and how much of it the log has.
	announced []byte
	there     int
}

// hashes run over the committed bytes of each stream.
type hashes struct{ stdout, stderr hash.Hash }

func newHashes() hashes { return hashes{sha256.New(), sha256.New()} }

func (h hashes) of(s Stream) hash.Hash {
	if s == Stderr {
		return h.stderr
	}
	return h.stdout
}

// write takes the content of neighbouring pieces.
func (h hashes) write(pieces []piece, content []byte) {
	for _, p := range pieces {
		h.of(p.stream).Write(content[:p.length]) // a hash never fails
		content = content[p.length:]
	}
}

func (h hashes) hex(s Stream) string { return hex.EncodeToString(h.of(s).Sum(nil)) }

// look judges an attempt's files without changing them.
func look(req OpenRequest) (*survey, error) {
	v := &survey{scan: scanner{name: req.Name + indexSuffix}, hash: newHashes()}
	log, err := openIfThere(req.Folder, req.Name+logSuffix)
	if err != nil {
		return nil, err
	}
	index, err := openIfThere(req.Folder, v.scan.name)
	if err == nil {
		v.scan.file = index
		err = v.judge(req, log)
	}
	return v, errors.Join(err, closeAll(log, index))
}

func openIfThere(folder Folder, name string) (File, error) {
	f, err := folder.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

func (v *survey) judge(req OpenRequest, log File) error {
	if log == nil {
		log = noFile{}
	}
	if v.scan.file == nil {
		v.scan.file = noFile{}
	}
	size, err := log.Size()
	if err != nil {
		return err
	}
	name, buf := req.Name+logSuffix, []byte(nil)
	err = v.scan.advance(func(p piece) error {
		b, err := readPiece(log, name, p, buf)
		if err == nil {
			buf = b
			v.hash.write([]piece{p}, b)
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case v.scan.Header.Format == 0 && size > 0:
		return &CheckpointMissingError{File: name}
	case v.scan.Header.Format == 0:
		return nil
	}
	if err := v.scan.matches(req.Name, req.Identity); err != nil {
		return err
	}
	return errors.Join(v.judgeEnd(req, log, size), v.judgeDigests())
}

// judgeEnd is the recovery rule (the design, section 9): behind the committed
// L bytes lies a prefix, maybe empty or whole, of what was announced. What
// is not there is read again from the native files.
func (v *survey) judgeEnd(req OpenRequest, log File, size int64) error {
	name, from, to := req.Name+logSuffix, v.scan.Length, v.scan.pendingEnd()
	switch {
	case size < from || size > to:
		return &DamagedError{File: name, Offset: min(size, to),
			What: fmt.Sprintf("it has %d bytes, %d were committed and no more than %d announced", size, from, to)}
	case from == to:
		return nil
	}
	there := make([]byte, size-from)
	if n, err := readSome(log, there, from); err != nil || n < len(there) {
		return errors.Join(fmt.Errorf("read the end of %q: %d of %d bytes", name, n, len(there)), err)
	}
	announced := there
	if size < to {
		var err error
		if announced, err = v.readAgain(req, name); err != nil {
			return err
		}
	}
	return v.fit(name, announced, there)
}

// readAgain is all that was announced, as the native files have it.
func (v *survey) readAgain(req OpenRequest, name string) ([]byte, error) {
	all := make([]byte, v.scan.pendingEnd()-v.scan.Length)
	for _, p := range v.scan.pending {
		native := req.Stdout
		if p.stream == Stderr {
			native = req.Stderr
		}
		if native == nil {
			return nil, fmt.Errorf("end of %q: %s is needed again and was not handed in", name, p.stream)
		}
		b := all[p.at-v.scan.Length:][:p.length]
		_, err := io.ReadFull(io.NewSectionReader(native, p.native, p.length), b)
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil, &DamagedError{File: name, Offset: p.at,
				What: fmt.Sprintf("%s from offset %d was announced, and is nowhere any more", p.stream, p.native)}
		case err != nil:
			return nil, fmt.Errorf("end of %q: read %s again at offset %d: %w", name, p.stream, p.native, err)
		}
	}
	return all, nil
}

// fit checks that announced is what the intents say and that the log goes on
// as it does.
func (v *survey) fit(name string, announced, there []byte) error {
	start := v.scan.Length
	if !bytes.HasPrefix(announced, there) {
		at := 0
		for announced[at] == there[at] {
			at++
		}
		return &DamagedError{File: name, Offset: start + int64(at), What: "not the bytes that were announced"}
	}
	for _, p := range v.scan.pending {
		if crcOf(announced[p.at-start:][:p.length]) != p.crc {
			return &DamagedError{File: name, Offset: p.at,
				What: fmt.Sprintf("%s from offset %d is not what was announced", p.stream, p.native)}
		}
	}
	v.announced, v.there = announced, len(there)
	return nil
}

// judgeDigests: the digests of a complete log are those of its bytes.
func (v *survey) judgeDigests() error {
	c := v.scan.Completion
	if c == nil || c.Stdout.SHA256 == v.hash.hex(Stdout) && c.Stderr.SHA256 == v.hash.hex(Stderr) {
		return nil
	}
	return v.scan.damaged("the digests of the completion in front are not those of the log")
}

func identityDiffers(h Header, name string, want Identity) string {
	return fmt.Sprintf("it is of run %q, step %q, attempt %q, plan version %d, file %q; meant was run %q, step %q, attempt %q, plan version %d, file %q",
		h.Run, h.Step, h.Attempt, h.PlanVersion, h.File, want.Run, want.Step, want.Attempt, want.PlanVersion, name)
}

// noFile is a file that is not there, as an empty one.
type noFile struct{ File }

func (noFile) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (noFile) Size() (int64, error)              { return 0, nil }
