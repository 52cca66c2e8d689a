/* Whole files by the system's own calls, so that every failure has its errno and a sentence. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIPE_FIRST_SIZE = 64 * 1024, DEVICE_MAX = 1 << 20, LINKS_MAX = 40 };

/* What errno means, in words that say what to look at. */
static const char *reason(int code) {
    switch (code) {
    case ENOENT:
        return "there is no such file or folder";
    case ENOTDIR:
        return "a part of the path is a file, not a folder";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EROFS:
        return "the file system is read-only";
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the disk quota is used up";
    case EISDIR:
        return "it is a folder, not a file";
    case ENAMETOOLONG:
        return "the name is too long";
    case ELOOP:
        return "its symbolic links go in a circle";
    case EFBIG:
        return "the file would be larger than the system allows here";
    case EBADF:
        return "it is closed";
    case EPIPE:
        return "nobody reads from it any more";
    default:
        return strerror(code);
    }
}

static bool cannot_read(Err *err, const char *path, int code) {
    if (!*path) return err_set(err, "cannot read a file without a name");
    return err_set(err, "cannot read %s: %s", path, reason(code));
}

static bool cannot_write(Err *err, const char *path, int code) {
    return err_set(err, "cannot write %s: %s", path, reason(code));
}

/* Reads until length bytes are there or the file ends; -1 with errno on failure. */
static ssize_t read_fully(int fd, uint8_t *bytes, size_t length) {
    size_t have = 0;
    while (have < length) {
        ssize_t got = read(fd, bytes + have, length - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

/* A file whose size is known. One byte more is asked for, in case it has grown meanwhile. */
static bool read_regular(int fd, size_t size, size_t limit, Arena *arena, FileBytes *file,
                         const char *path, Err *err) {
    if (size > limit)
        return err_set(err, "%s is too large: %zu bytes, at most %zu are allowed", path, size,
                       limit);
    uint8_t *bytes = ARENA_ROOM(arena, uint8_t, size + 1);
    ssize_t got = read_fully(fd, bytes, size);
    if (got < 0) return cannot_read(err, path, errno);
    bytes[got] = 0;
    *file = (FileBytes){.bytes = bytes, .length = (size_t)got};
    return true;
}

/* A pipe, a device, or a file of /proc that says it is empty: read on until it ends. */
static bool read_stream(int fd, size_t limit, Arena *arena, FileBytes *file, const char *path,
                        Err *err) {
    size_t size = PIPE_FIRST_SIZE, length = 0;
    uint8_t *bytes = arena_alloc(arena, size);
    for (;;) {
        ssize_t got = read_fully(fd, bytes + length, size - 1 - length);
        if (got < 0) return cannot_read(err, path, errno);
        length += (size_t)got;
        if (length > limit)
            return err_set(err, "%s is too large: at most %zu bytes are allowed, and more came",
                           path, limit);
        if (length < size - 1) break;
        uint8_t *larger = arena_alloc(arena, size * 2);
        memcpy(larger, bytes, length);
        bytes = larger;
        size *= 2;
    }
    bytes[length] = 0;
    *file = (FileBytes){.bytes = bytes, .length = length};
    return true;
}

bool file_read(const char *path, size_t limit, Arena *arena, FileBytes *file, Err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cannot_read(err, path, errno);
    struct stat status;
    bool done;
    if (fstat(fd, &status) != 0)
        done = cannot_read(err, path, errno);
    else if (S_ISDIR(status.st_mode))
        done = cannot_read(err, path, EISDIR);
    else if (S_ISREG(status.st_mode) && status.st_size > 0)
        done = read_regular(fd, (size_t)status.st_size, limit, arena, file, path, err);
    else if (S_ISCHR(status.st_mode) && limit > DEVICE_MAX)
        done = read_stream(fd, DEVICE_MAX, arena, file, path, err); /* /dev/zero never ends */
    else
        done = read_stream(fd, limit, arena, file, path, err);
    close(fd);
    return done;
}

static bool map_open(int fd, const char *path, FileBytes *file, Err *err) {
    struct stat status;
    if (fstat(fd, &status) != 0) return cannot_read(err, path, errno);
    if (S_ISDIR(status.st_mode)) return cannot_read(err, path, EISDIR);
    if (!S_ISREG(status.st_mode)) return err_set(err, "%s is not a regular file", path);
    if (status.st_size == 0) return err_set(err, "%s is empty", path);
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return cannot_read(err, path, errno);
    *file = (FileBytes){.bytes = bytes, .length = (size_t)status.st_size};
    return true;
}

bool file_map(const char *path, FileBytes *file, Err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cannot_read(err, path, errno);
    bool done = map_open(fd, path, file, err);
    close(fd);
    return done;
}

void file_unmap(FileBytes *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (FileBytes){0};
}

void file_rest(FileBytes file) {
    if (file.bytes) madvise((void *)(uintptr_t)file.bytes, file.length, MADV_DONTNEED);
}

bool file_read_text(const char *path, size_t limit, Arena *arena, const char **text, size_t *length,
                    Err *err) {
    FileBytes file;
    if (!file_read(path, limit, arena, &file, err)) return false;
    const char *start = (const char *)file.bytes;
    size_t bad;
    if (!utf8_valid(start, file.length, &bad))
        return err_set(err, "%s is not UTF-8: wrong byte 0x%02X at offset %zu", path,
                       (unsigned)file.bytes[bad], bad);
    size_t mark = strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    *text = start + mark;
    *length = file.length - mark;
    return true;
}

/* 0, or the errno that stopped it. */
static int write_fully(int fd, const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t put = write(fd, at, length);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        at += put;
        length -= (size_t)put;
    }
    return 0;
}

/* The path behind symbolic links, whether or not there is a file yet, so that the link itself
 * stays. 0 or errno. */
static int follow_links(const char *path, char out[PATH_MAX]) {
    if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(out, path);
    for (int i = 0; i < LINKS_MAX; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(out, link, sizeof link - 1);
        if (length < 0) return 0; /* no link: this is the one */
        link[length] = '\0';
        char *slash = link[0] == '/' ? NULL : strrchr(out, '/');
        size_t folder = slash ? (size_t)(slash - out) + 1 : 0;
        if (folder + (size_t)length >= PATH_MAX) return ENAMETOOLONG;
        memcpy(out + folder, link, (size_t)length + 1);
    }
    return ELOOP;
}

/* Devices and pipes have no "beside". */
static bool write_direct(const char *path, const void *bytes, size_t length, Err *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return cannot_write(err, path, errno);
    int code = write_fully(fd, bytes, length);
    if (close(fd) != 0 && code == 0) code = errno;
    return code == 0 ? true : cannot_write(err, path, code);
}

/* The mode a new file gets. There is no way to read the umask but to set it. */
static mode_t mode_by_umask(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* How a file is to be made. */
typedef struct Making {
    mode_t mode;
    bool replaces; /* something is there that would be lost */
} Making;

/* Fills the file that mkstemp has made and puts it in place; 0 or errno. What was there is given up
 * only when the new bytes are on the disk. Where nothing was, a power cut loses nothing old, and
 * waiting for the disk would take longer than drawing a figure. Some file systems cannot sync and
 * say so; the bytes are written all the same. */
static int fill_and_rename(int fd, const char *beside, const char *target, Making making,
                           const void *bytes, size_t length) {
    int code = write_fully(fd, bytes, length);
    if (code == 0 && fchmod(fd, making.mode) != 0) code = errno;
    if (code == 0 && making.replaces && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        code = errno;
    if (close(fd) != 0 && code == 0) code = errno;
    if (code == 0 && rename(beside, target) != 0) code = errno;
    return code;
}

static bool write_beside(const char *path, const char *target, Making making, const void *bytes,
                         size_t length, Err *err) {
    static const char pattern[] = ".heed-XXXXXX";
    char beside[PATH_MAX];
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    if (folder + sizeof pattern > sizeof beside) return cannot_write(err, path, ENAMETOOLONG);
    memcpy(beside, target, folder);
    memcpy(beside + folder, pattern, sizeof pattern);
    int fd = mkstemp(beside);
    if (fd < 0 && errno == ENOENT)
        return err_set(err, "cannot write %s: its folder does not exist; make it first", path);
    if (fd < 0 && errno == EACCES)
        return err_set(err, "cannot write %s: no permission to write in its folder", path);
    if (fd < 0) return cannot_write(err, path, errno);
    int code = fill_and_rename(fd, beside, target, making, bytes, length);
    if (code == 0) return true;
    unlink(beside);
    return cannot_write(err, path, code);
}

bool file_write(const char *path, const void *bytes, size_t length, Err *err) {
    if (strcmp(path, "-") == 0) {
        int code = write_fully(STDOUT_FILENO, bytes, length);
        return code == 0 ? true : cannot_write(err, "to standard output", code);
    }
    size_t end = strlen(path);
    if (end == 0) return err_set(err, "cannot write a file without a name");
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT) return cannot_write(err, path, errno);
    if (exists && S_ISDIR(status.st_mode))
        return err_set(err, "cannot write %s: it is a folder; add a file name", path);
    if (!exists && path[end - 1] == '/')
        return err_set(err, "cannot write %s: it names a folder; add a file name", path);
    if (exists && !S_ISREG(status.st_mode)) return write_direct(path, bytes, length, err);
    if (exists && access(path, W_OK) != 0) return cannot_write(err, path, errno);
    char target[PATH_MAX];
    int code = follow_links(path, target);
    if (code != 0) return cannot_write(err, path, code);
    Making making = {exists ? status.st_mode & 07777 : mode_by_umask(), exists};
    return write_beside(path, target, making, bytes, length, err);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool file_stamp(const char *path, FileStamp *stamp) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    *stamp = (FileStamp){.size = status.st_size,
                         .seconds = status.st_mtim.tv_sec,
                         .nanoseconds = status.st_mtim.tv_nsec,
                         .inode = status.st_ino};
    return true;
}

char *file_join(Arena *arena, const char *folder, const char *name) {
    size_t length = strlen(folder);
    bool slash = length == 0 || folder[length - 1] == '/';
    return arena_printf(arena, "%s%s%s", folder, slash ? "" : "/", name);
}

char *file_free_name(Arena *arena, const char *folder, const char *stem, const char *ext) {
    char *path = file_join(arena, folder, arena_printf(arena, "%s.%s", stem, ext));
    for (int i = 2; file_exists(path); i++)
        path = file_join(arena, folder, arena_printf(arena, "%s-%d.%s", stem, i, ext));
    return path;
}
