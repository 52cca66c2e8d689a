/* Work in equal pieces, done by as many threads as there are processors. */
#ifndef CORE_CREW_H
#define CORE_CREW_H

/* One piece of the work, 0 .. count-1. Pieces run side by side and in any order, so that none may
 * touch what another writes. */
typedef void CrewPiece(void *work, int piece);

/* How many threads there are for work: processors, at most 16. */
int crew_size(void);

/* Does all pieces, by at most size threads with the caller's own among them, and returns when all
 * are done. Where the system gives no thread, the caller's does the work. */
void crew_run(CrewPiece *piece, void *work, int count, int size);

#endif
