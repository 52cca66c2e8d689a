/* A child process, its standard input a pipe. The helper goes on living in the background with the
 * picture, as X wants it, so nothing but that pipe is lent to it. */
#include "app/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

static char *const wayland[] = {"wl-copy", "--type", "image/png", NULL};
static char *const x11[] = {"xclip", "-selection", "clipboard", "-t", "image/png", "-i", NULL};

static void become(char *const *command, int input) {
    int nothing = open("/dev/null", O_RDWR);
    dup2(input, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    for (int fd = 3; fd < 256; fd++) close(fd);
    execvp(command[0], command);
    _exit(NOT_FOUND);
}

static bool write_all(int fd, const uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno != EINTR) return false;
        if (done < 0) continue;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

/* The exit status of the helper, NOT_FOUND when there is none, -1 when something failed. */
static int feed(char *const *command, const uint8_t *bytes, size_t length) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) become(command, ends[0]);
    close(ends[0]);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    bool written = child > 0 && write_all(ends[1], bytes, length);
    close(ends[1]);
    sigaction(SIGPIPE, &before, NULL);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
    return written && WIFEXITED(status) ? 0 : -1;
}

bool clipboard_picture(const uint8_t *png, size_t length, Err *err) {
    bool on_wayland = getenv("WAYLAND_DISPLAY") != NULL;
    int status = feed(on_wayland ? wayland : x11, png, length);
    if (status == NOT_FOUND && on_wayland) status = feed(x11, png, length);
    if (status == NOT_FOUND)
        return err_set(err,
                       "copying a picture needs %s, which is not installed; E writes it to a file",
                       on_wayland ? "wl-copy or xclip" : "xclip");
    return status == 0 ||
           err_set(err, "the clipboard did not take the picture; E writes it to a file");
}
