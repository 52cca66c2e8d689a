/* A dial: a circle with axes, one or two hands, the angle between them shaded, and two lines of
 * text below. Angles are in radians, counted from the right against the clock, as in mathematics;
 * they may be of any size. */
#ifndef DRAW_DIAL_H
#define DRAW_DIAL_H

#include "draw/canvas.h"

#include <stdbool.h>

typedef struct DialHand {
    double angle;
    double length; /* share of the radius, 0..1 and a little over; 0: a hand of no length, a dot */
    Color color;
    const char *name; /* at the tip: "q"; NULL: none */
} DialHand;

typedef struct Dial {
    const char *title; /* bold below the circle: "pair 0"; NULL */
    const char *line;  /* mono and dim below that: "θ = 1.000   4.000 rad"; NULL */
    const char *brief; /* instead of a line that is wider than its place; NULL: the line is cut */
    DialHand hands[2]; /* the first lies on top */
    int hand_count;    /* 0 to 2 */
    bool shade;        /* the turn of `turn` radians that begins at hand 1 */
    double turn;       /* whole turns fill the disc, what is left over is darker */
    bool faint;        /* not turned: the circle is dashed and its text dim */
    bool chosen;       /* title in the accent, circle in ink */
} Dial;

/* Pixels of the two lines below a circle. */
int dial_text_height(Canvas *canvas);

/* Draws the dial centred in rect, as large as it allows, its text included. */
void dial_draw(Canvas *canvas, Rect rect, const Dial *dial);

/* The place of dial index of count in rect: rows of equal places, in as many rows as make the
 * dials largest. */
Rect dial_place(Canvas *canvas, Rect rect, int count, int index);
/* The dial at a point, -1 between them. */
int dial_locate(Canvas *canvas, Rect rect, int count, int x, int y);

#endif
