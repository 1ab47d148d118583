// Package journal keeps the log of one attempt so that no byte is lost or
// comes twice, whatever is killed (the design, section 9). It owns the visible
// log (append-only, never cut or rewritten, good for tail -f) and the index
// beside it, which says which stream each byte came from, what is committed,
// and how the job ended. It never starts, signals or looks for a process,
// never takes a lock, reads no clock of its own, and knows no run beyond the
// names it is given: the attempt's fence, who is dead, and RUN_BUSY are the
// caller's.
//
//	w, err := journal.Open(journal.OpenRequest{Folder: journal.RootFolder(root, run), Name: attempt, …})
//	err = w.Accepted()                               // durable: the supervisor has a first status
//	err = w.Append(journal.Stdout, w.Next(journal.Stdout), chunk)
//	err = w.Flush()                                  // before waiting for more
//	err = w.Finish(journal.End{Kind: journal.Exited}, lengths) // durable with the last bytes
//
// # Files
//
// name.log is what both streams wrote, in the order it was drained. name.index
// is a chain of records: a header, again for each later owner; intents (stream,
// native offset, length, CRC); commits (length of the log, both native
// offsets); accepted, once; the completion, last. A group is its intents,
// synced, then its bytes, synced, then its commit; header, accepted and
// completion are synced before the call returns. name.index.torn has what was
// cut off an index, for a person.
//
// # What a crash leaves, and what Open does
//
//	killed                     lies there                    Open
//	before the header          nothing, or a torn header     begins anew
//	among the intents          some of them, or a torn one   appends their bytes, read again, and commits
//	among the bytes            a start of them               appends the rest, and commits
//	before the commit          all of them                   commits; the native files are not needed
//	in accepted, completion    a torn record                 keeps it aside, cuts it; it was not acted on
//	in Open itself             one of these                  the same again
//
// Everything else is refused with LOG_DAMAGED, file and offset, before
// anything is changed: bytes behind the log's end that were not announced, or
// differ from what was; committed bytes that differ or are missing; a bad
// record in front of a good one; a record removed, repeated, moved or of
// another index; a header of another attempt. After a power cut the same holds
// as far as a file system keeps an unsynced end in order: one that keeps a
// later page of the index without an earlier one leaves what reads as damage,
// and the log, which can still be read as a plain file, keeps all its bytes.
//
// A failed write ends the [Writer], not the attempt: open again. A failed sync
// ends the attempt ([BrokenError] says why).
//
// # What shows that it works
//
// Each of these was broken on purpose, and these tests went red:
//
//	the bytes behind the committed end compared      TestOpen_suffix
//	the announced bytes' CRC                         TestOpen_suffix
//	intents before bytes                             TestWriter_everyCall_everyFault
//	a group's intents synced before its bytes        TestWriter_everyCall_everyFault
//	bytes synced before their commit                 TestWriter_everyCall_everyFault
//	accepted and completion synced                   TestWriter_everyCall_everyFault
//	the files' names synced with the header          TestWriter_everyCall_everyFault
//	intents synced by a recovery                     TestOpen_killedAgainAndAgain
//	the rest appended, and only the rest             TestOpen_suffix, TestWriter_killedAtRandom
//	the torn end cut off, and kept                   TestOpen_tornEnd
//	the chain                                        TestScanner_removedSplicedReordered, FuzzScanner
//	a good record behind a bad one                   TestScanner_everyByteWrong
//	committed bytes' CRC                             TestReader_damage
//	the completion's digests                         TestOpen_digests
//	the header's identity                            TestOpen_anotherAttempt
//	a log without index refused                      TestOpen_checkpointMissing
//	gaps and overlaps refused                        TestWriter_Append_gapsAndOverlaps
//	the lengths that Finish is given                 TestWriter_Finish
//	a broken writer stays broken                     TestWriter_broken_staysBroken, …_whatIsActedOn
//	readers see committed bytes only                 TestReader_committedOnly
//	a last look after an owner's death               TestReader_Follow_endsBeforeDeath
//	a follower ends within a second                  TestCase138_followEnds
//
// One break no test here can see: the sync right after a torn end is cut off,
// because every later sync of the index covers it.
//
//	go test ./pkg/journal -run killedAtRandom -journal.kills=200
//
// What draining costs, as a multiple of cat plus the same syncs, is a figure of
// package bench.
package journal
