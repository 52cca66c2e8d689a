/* Threads live as long as the work. Starting one takes some 30 microseconds, which is little beside
 * the work that is worth one, and no thread idles while a picture is looked at. */
#include "core/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { CREW_MAX = 16 };

typedef struct Crew {
    CrewPiece *piece;
    void *work;
    int count;
    atomic_int next;
} Crew;

static void *work_on(void *context) {
    Crew *crew = context;
    for (int n = atomic_fetch_add(&crew->next, 1); n < crew->count;
         n = atomic_fetch_add(&crew->next, 1))
        crew->piece(crew->work, n);
    return NULL;
}

int crew_size(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) return 1;
    return processors < CREW_MAX ? (int)processors : CREW_MAX;
}

void crew_run(CrewPiece *piece, void *work, int count, int size) {
    Crew crew = {.piece = piece, .work = work, .count = count};
    atomic_init(&crew.next, 0);
    pthread_t threads[CREW_MAX];
    int started = 0, wanted = (size < count ? size : count) - 1;
    if (wanted > CREW_MAX) wanted = CREW_MAX;
    while (started < wanted && pthread_create(&threads[started], NULL, work_on, &crew) == 0)
        started++;
    work_on(&crew);
    for (int n = 0; n < started; n++) pthread_join(threads[n], NULL);
}
