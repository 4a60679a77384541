// A program that answers as a player does, and takes four gigabytes at its first action, as fast as it can.
//
//     cc -O2 -o grows grows.c -lpthread && ./grows pages
//
// Its word is the way: see `grow`.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEGABYTE (1UL << 20)
#define ALL (4096 * MEGABYTE)

static void write_to(char *memory, size_t size) {
    for (size_t place = 0; place < size; place += 4096) memory[place] = 1;
}

static char *memory_of(size_t size, int flags) {
    return mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void *pages(void *size) {
    write_to(memory_of((size_t)size, 0), (size_t)size);
    return 0;
}

static void *huge_pages(void *size) {
    char *memory = memory_of((size_t)size, 0);
    madvise(memory, (size_t)size, MADV_HUGEPAGE);
    write_to(memory, (size_t)size);
    return 0;
}

static void *at_once(void *size) { return memory_of((size_t)size, MAP_POPULATE); }

static void threads(void *(*grow)(void *), size_t count) {
    pthread_t started[64];
    for (size_t one = 0; one < count; one++) pthread_create(started + one, 0, grow, (void *)(ALL / count));
    for (size_t one = 0; one < count; one++) pthread_join(started[one], 0);
}

static void children(size_t count) {
    for (size_t one = 0; one < count; one++)
        if (!fork()) {
            pages((void *)(ALL / count));
            pause();
        }
    pause();
}

static void chain(void) {
    while (!fork()) pages((void *)(8 * MEGABYTE));
    pause();
}

static void beside(void) {  // children of the player's own parent
    for (int one = 0; one < 20; one++)
        if (!syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)) {
            pages((void *)(50 * MEGABYTE));
            pause();
        }
    pause();
}

static void among_busy_ones(void) {
    for (int one = 0; one < 300; one++)
        if (!fork()) for (;;);
    threads(pages, 2);
}

static void segments(void) {
    for (int one = 0; one < 64; one++) {
        char *memory = shmat(shmget(IPC_PRIVATE, ALL / 64, 0600 | IPC_CREAT), 0, 0);
        write_to(memory, ALL / 64);
        shmdt(memory);
    }
}

static void in_real_time(void) {  // where it may be
    struct sched_param priority = {50};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    threads(pages, 2);
}

static void grow(const char *way) {
    if (!strcmp(way, "pages")) pages((void *)ALL);
    if (!strcmp(way, "huge-pages")) threads(huge_pages, 2);
    if (!strcmp(way, "at-once")) threads(at_once, 2);
    if (!strcmp(way, "threads")) threads(pages, 8);
    if (!strcmp(way, "children")) children(64);
    if (!strcmp(way, "many-children")) children(400);
    if (!strcmp(way, "chain")) chain();
    if (!strcmp(way, "beside")) beside();
    if (!strcmp(way, "among-busy-ones")) among_busy_ones();
    if (!strcmp(way, "segments")) segments();
    if (!strcmp(way, "in-real-time")) in_real_time();
}

int main(int count, char **words) {
    static char line[65536];
    while (count == 2 && fgets(line, sizeof line, stdin)) {
        int is_asked = !strncmp(line, "[\"action\"", 9);
        if (is_asked) grow(words[1]);
        puts(is_asked ? "[\"action\", 1]" : "[\"ok\"]");
        fflush(stdout);
    }
}
