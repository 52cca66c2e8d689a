/* The least that a program with a window can do: open one of 1280x800 as heed opens its own, fill
 * it, show it, and say so. `bare N` then shows it N more times and prints the median time of one in
 * milliseconds: a present, the unit of the bench. */
#include <SDL.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 800, TIMES_MAX = 1000 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show(SDL_Window *window, SDL_Surface *canvas, int shade) {
    SDL_FillRect(canvas, NULL, SDL_MapRGB(canvas->format, (Uint8)shade, 128, 128));
    SDL_BlitSurface(canvas, NULL, SDL_GetWindowSurface(window), NULL);
    SDL_UpdateWindowSurface(window);
}

int main(int argc, char **argv) {
    SDL_SetHintWithPriority(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0", SDL_HINT_OVERRIDE);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    SDL_Window *window = SDL_CreateWindow("bare", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                          WIDTH, HEIGHT, SDL_WINDOW_RESIZABLE);
    SDL_Surface *canvas =
        SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_RGB888);
    if (!window || !canvas) return 1;
    show(window, canvas, 0);
    fprintf(stderr, "bare: first frame\n");
    int count = argc > 1 ? atoi(argv[1]) : 0;
    double times[TIMES_MAX];
    for (int i = 0; i < count && i < TIMES_MAX; i++) {
        SDL_Event event;
        while (SDL_PollEvent(&event)) {}
        Uint64 before = SDL_GetPerformanceCounter();
        show(window, canvas, i);
        Uint64 ticks = SDL_GetPerformanceCounter() - before;
        times[i] = 1000.0 * (double)ticks / (double)SDL_GetPerformanceFrequency();
    }
    if (count > 0 && count <= TIMES_MAX) {
        qsort(times, (size_t)count, sizeof *times, by_size);
        printf("%.6f\n", times[count / 2]);
        return 0;
    }
    SDL_Event event;
    while (SDL_WaitEvent(&event) && event.type != SDL_QUIT) {}
    return 0;
}
