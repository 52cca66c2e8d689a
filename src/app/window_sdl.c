/* The only file that knows SDL's video and events. The window's surface is plain memory shown by X
 * without OpenGL (that alone makes the first frame four times faster); the finished canvas is
 * copied into it row by row, never scaled. */
#include "app/window.h"

#include <SDL.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct Window {
    SDL_Window *sdl;
};

static void set_hints(void) {
    /* Environment variables beat plain hints; an OpenGL framebuffer would be slower and larger. */
    SDL_SetHintWithPriority(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0", SDL_HINT_OVERRIDE);
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
}

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && value[0];
}

/* Where there is no folder for it Wayland cannot be. */
static bool names_wayland(void) {
    return is_set("WAYLAND_DISPLAY") && is_set("XDG_RUNTIME_DIR");
}

/* SDL's Wayland part complains on stderr in its own words: it is kept out where only X is named. */
static void choose_driver(void) {
    if (is_set("DISPLAY") && !names_wayland() && !is_set("SDL_VIDEODRIVER"))
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
}

/* Asked before SDL is, for the same reason. */
static bool display_is_named(void) {
    return is_set("DISPLAY") || names_wayland() || is_set("SDL_VIDEODRIVER");
}

/* Without a display SDL silently draws into nothing. That is refused, unless it was asked for by
 * name. */
static bool driver_is_real(void) {
    const char *driver = SDL_GetCurrentVideoDriver();
    const char *asked = getenv("SDL_VIDEODRIVER");
    bool shows_nothing = !driver || !strcmp(driver, "offscreen") || !strcmp(driver, "dummy");
    return !shows_nothing || (driver && asked && !strcmp(asked, "dummy") && !strcmp(driver, asked));
}

/* Under Wayland SDL shows plain memory only through its renderer. */
static void choose_framebuffer(void) {
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver && !strcmp(driver, "wayland"))
        SDL_SetHintWithPriority(SDL_HINT_FRAMEBUFFER_ACCELERATION, "1", SDL_HINT_OVERRIDE);
}

/* Says which variable names the display that is not there. */
static bool no_display(Err *err) {
    static const char *const names[] = {"SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"};
    for (int i = 0; i < 3; i++)
        if (is_set(names[i]))
            return err_set(err,
                           "no display: %s is \"%s\", which cannot be opened; `heed export` needs "
                           "none",
                           names[i], getenv(names[i]));
    return err_set(err, "no display: set DISPLAY or use `heed export`");
}

static void quit_instead(int number) {
    (void)number;
    raise(SIGTERM); /* which SDL makes an SDL_QUIT of */
}

/* A terminal that is closed lets what is being written be written to its end; nohup stays. */
static void quit_by_hangup(void) {
    struct sigaction quit = {.sa_handler = quit_instead}, before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGHUP, &quit, NULL);
}

bool window_open(int width, int height, const char *title, Window **window, Err *err) {
    unsetenv("FREETYPE_PROPERTIES");
    /* Without an address libdbus would start a message bus of its own. */
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 0);
    set_hints();
    if (!display_is_named()) return no_display(err);
    choose_driver();
    if (SDL_Init(SDL_INIT_VIDEO) != 0 || !driver_is_real()) {
        SDL_Quit();
        return no_display(err);
    }
    choose_framebuffer();
    SDL_Rect usable;
    if (SDL_GetDisplayUsableBounds(0, &usable) == 0) {
        if (width > usable.w) width = usable.w;
        if (height > usable.h) height = usable.h;
    }
    SDL_Window *sdl = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                       height, SDL_WINDOW_RESIZABLE);
    /* Asked for now, so that a window that cannot show anything is not waited at. */
    Window *made = sdl && SDL_GetWindowSurface(sdl) ? malloc(sizeof *made) : NULL;
    if (!made) {
        err_set(err, "cannot open a window: %s", SDL_GetError());
        SDL_Quit();
        return false;
    }
    SDL_SetWindowMinimumSize(sdl, 320, 200);
    SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
    SDL_EventState(SDL_DROPTEXT, SDL_DISABLE);
    SDL_StartTextInput();
    quit_by_hangup();
    made->sdl = sdl;
    *window = made;
    return true;
}

/* The window goes out of sight, and the end of the program takes the rest away. While it waits, SDL
 * wakes itself by messages to the window over a second connection; were the window destroyed before
 * the server has read the last one, X would end the program with an error. */
void window_close(Window *window) {
    if (!window) return;
    SDL_HideWindow(window->sdl);
    free(window);
}

static uint32_t function_key(SDL_Scancode scancode) {
    return scancode >= SDL_SCANCODE_F1 && scancode <= SDL_SCANCODE_F12
               ? (uint32_t)KEY_F1 + (uint32_t)(scancode - SDL_SCANCODE_F1)
               : (uint32_t)KEY_NONE;
}

static uint32_t keypad_key(SDL_Scancode scancode) {
    switch (scancode) {
    case SDL_SCANCODE_KP_PLUS:
        return '+';
    case SDL_SCANCODE_KP_MINUS:
        return '-';
    case SDL_SCANCODE_KP_ENTER:
        return KEY_ENTER;
    case SDL_SCANCODE_KP_0:
        return '0';
    default:
        break;
    }
    bool digit = scancode >= SDL_SCANCODE_KP_1 && scancode <= SDL_SCANCODE_KP_9;
    return digit ? (uint32_t)('1' + (scancode - SDL_SCANCODE_KP_1)) : (uint32_t)KEY_NONE;
}

static uint32_t key_of(SDL_Keysym keysym) {
    switch (keysym.sym) {
    case SDLK_LEFT:
        return KEY_LEFT;
    case SDLK_RIGHT:
        return KEY_RIGHT;
    case SDLK_UP:
        return KEY_UP;
    case SDLK_DOWN:
        return KEY_DOWN;
    case SDLK_PAGEUP:
        return KEY_PAGE_UP;
    case SDLK_PAGEDOWN:
        return KEY_PAGE_DOWN;
    case SDLK_HOME:
        return KEY_HOME;
    case SDLK_END:
        return KEY_END;
    case SDLK_RETURN:
        return KEY_ENTER;
    case SDLK_ESCAPE:
        return KEY_ESCAPE;
    case SDLK_TAB:
        return KEY_TAB;
    case SDLK_BACKSPACE:
        return KEY_BACKSPACE;
    case SDLK_DELETE:
        return KEY_DELETE;
    case SDLK_INSERT:
        return KEY_INSERT;
    default:
        break;
    }
    uint32_t key = function_key(keysym.scancode);
    if (key == KEY_NONE) key = keypad_key(keysym.scancode);
    if (key != KEY_NONE) return key;
    return keysym.sym >= ' ' && keysym.sym < 0x110000 ? (uint32_t)keysym.sym : (uint32_t)KEY_NONE;
}

/* Where a digit stands, whatever the layout writes there: on AZERTY digits need Shift. */
static int digit_of(SDL_Scancode scancode) {
    if (scancode == SDL_SCANCODE_0 || scancode == SDL_SCANCODE_KP_0) return 0;
    if (scancode >= SDL_SCANCODE_1 && scancode <= SDL_SCANCODE_9)
        return 1 + (int)(scancode - SDL_SCANCODE_1);
    if (scancode >= SDL_SCANCODE_KP_1 && scancode <= SDL_SCANCODE_KP_9)
        return 1 + (int)(scancode - SDL_SCANCODE_KP_1);
    return -1;
}

static unsigned mods_of(unsigned mods) {
    unsigned out = 0;
    if (mods & KMOD_SHIFT) out |= MOD_SHIFT;
    if (mods & KMOD_CTRL) out |= MOD_CTRL;
    if (mods & (KMOD_ALT & ~KMOD_MODE)) out |= MOD_ALT;
    return out;
}

static void take_pointer(Event *event, EventKind kind, int x, int y) {
    event->kind = kind;
    event->x = x;
    event->y = y;
    event->mods = mods_of(SDL_GetModState());
}

static void take_window(Window *window, Event *event, const SDL_WindowEvent *from) {
    if (from->event == SDL_WINDOWEVENT_LEAVE) event->kind = EVENT_LEAVE;
    if (from->event == SDL_WINDOWEVENT_EXPOSED) event->kind = EVENT_EXPOSE;
    if (from->event != SDL_WINDOWEVENT_SIZE_CHANGED) return;
    event->kind = EVENT_RESIZE;
    window_size(window, &event->width, &event->height);
}

static void take_text(Event *event, EventKind kind, const char *text) {
    event->kind = kind;
    event->mods = mods_of(SDL_GetModState());
    SDL_strlcpy(event->text, text, sizeof event->text);
}

static void take_key(Event *event, const SDL_KeyboardEvent *from) {
    event->kind = EVENT_KEY;
    event->key = key_of(from->keysym);
    event->digit = digit_of(from->keysym.scancode);
    event->mods = mods_of(from->keysym.mod);
    event->repeat = from->repeat != 0;
}

static void take_wheel(Event *event, const SDL_MouseWheelEvent *from) {
    int x, y;
    SDL_GetMouseState(&x, &y);
    take_pointer(event, EVENT_WHEEL, x, y);
    event->wheel = from->direction == SDL_MOUSEWHEEL_FLIPPED ? -from->y : from->y;
}

static void take(Window *window, Event *event, SDL_Event *from) {
    switch (from->type) {
    case SDL_QUIT:
        event->kind = EVENT_QUIT;
        break;
    case SDL_KEYDOWN:
        take_key(event, &from->key);
        break;
    case SDL_TEXTINPUT:
        take_text(event, EVENT_TEXT, from->text.text);
        break;
    case SDL_MOUSEMOTION:
        take_pointer(event, EVENT_MOVE, from->motion.x, from->motion.y);
        event->button = from->motion.state & SDL_BUTTON_LMASK ? 1 : 0;
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        take_pointer(event, from->type == SDL_MOUSEBUTTONDOWN ? EVENT_PRESS : EVENT_RELEASE,
                     from->button.x, from->button.y);
        event->button = from->button.button;
        event->clicks = from->button.clicks;
        break;
    case SDL_MOUSEWHEEL:
        take_wheel(event, &from->wheel);
        break;
    case SDL_DROPFILE:
        take_text(event, EVENT_DROP, from->drop.file);
        SDL_free(from->drop.file);
        break;
    case SDL_WINDOWEVENT:
        take_window(window, event, &from->window);
        break;
    default:
        break;
    }
}

/* A run of pointer moves counts as its last one: hovering never falls behind the hand. */
static void skip_to_last_move(SDL_Event *from) {
    SDL_Event next;
    while (from->type == SDL_MOUSEMOTION &&
           SDL_PeepEvents(&next, 1, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT) == 1 &&
           next.type == SDL_MOUSEMOTION)
        SDL_PollEvent(from);
}

/* What is of no interest (a key let go) is passed over, except that it may end a wait with a limit
 * early. */
void window_wait(Window *window, Event *event, int timeout_ms) {
    SDL_Event from;
    memset(event, 0, sizeof *event);
    event->digit = -1;
    do {
        int got = timeout_ms < 0 ? SDL_WaitEvent(&from) : SDL_WaitEventTimeout(&from, timeout_ms);
        if (!got) return;
        skip_to_last_move(&from);
        take(window, event, &from);
    } while (event->kind == EVENT_NONE && timeout_ms <= 0);
}

bool window_memory(Window *window, Canvas *canvas) {
    SDL_Surface *shown = SDL_GetWindowSurface(window->sdl);
    if (!shown || shown->format->format != SDL_PIXELFORMAT_RGB888 || SDL_MUSTLOCK(shown))
        return false;
    canvas->pixels = shown->pixels;
    canvas->width = shown->w;
    canvas->height = shown->h;
    canvas->stride = shown->pitch / 4;
    return true;
}

/* Copies what is to be shown, unless the canvas lies in the window's memory. */
static void copy_part(const Canvas *canvas, SDL_Surface *shown, SDL_Rect part) {
    if (canvas->pixels == shown->pixels) return;
    SDL_Surface *mine =
        SDL_CreateRGBSurfaceWithFormatFrom(canvas->pixels, canvas->width, canvas->height, 32,
                                           canvas->stride * 4, SDL_PIXELFORMAT_RGB888);
    if (mine) SDL_BlitSurface(mine, &part, shown, &(SDL_Rect){part.x, part.y, part.w, part.h});
    SDL_FreeSurface(mine);
}

void window_show(Window *window, const Canvas *canvas, Rect part) {
    SDL_Surface *shown = SDL_GetWindowSurface(window->sdl);
    if (!shown) return;
    if (part.w <= 0 || part.h <= 0) part = (Rect){0, 0, canvas->width, canvas->height};
    part = rect_intersect(part, (Rect){0, 0, shown->w, shown->h});
    SDL_Rect rect = {part.x, part.y, part.w, part.h};
    copy_part(canvas, shown, rect);
    SDL_UpdateWindowSurfaceRects(window->sdl, &rect, 1);
}

void window_size(Window *window, int *width, int *height) {
    SDL_GetWindowSizeInPixels(window->sdl, width, height);
}

void window_full_screen(Window *window, bool on) {
    SDL_SetWindowFullscreen(window->sdl, on ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

double window_seconds(void) {
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

bool window_clipboard_set(Window *window, const char *text, Err *err) {
    (void)window;
    if (SDL_SetClipboardText(text) == 0) return true;
    return err_set(err, "cannot copy to the clipboard: %s", SDL_GetError());
}

const char *window_clipboard_get(Window *window, Arena *arena) {
    (void)window;
    if (!SDL_HasClipboardText()) return NULL;
    char *text = SDL_GetClipboardText();
    const char *copy = text && *text ? arena_text(arena, text) : NULL;
    SDL_free(text);
    return copy;
}
