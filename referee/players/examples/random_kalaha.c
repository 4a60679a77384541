/* A legal random player of Kalaha in C.

   cc -O2 -o random_kalaha random_kalaha.c
   referee play kalaha exec:./random_kalaha random */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 100 };             /* ponds a side */
static int ponds;
static int board[2][MOST + 1];   /* each side's ponds, then its bank */

static void begin(const char *line)
{
    const char *variant = strstr(line, "\"variant\": \"");
    int pebbles = ponds = 6;

    sscanf(variant, "\"variant\": \"%dx%d", &ponds, &pebbles);   /* "4x3"; "" is 6x6 */
    for (int side = 0; side < 2; side++) {
        for (int place = 0; place < ponds; place++)
            board[side][place] = pebbles;
        board[side][ponds] = 0;
    }
}

static int choose(int mine)
{
    int filled[MOST], count = 0;

    for (int place = 0; place < ponds; place++)
        if (board[mine][place])
            filled[count++] = place + 1;
    return filled[rand() % count];
}

static void sow(int mover, int pond)
{
    int side = mover, place = pond - 1, left = board[mover][place];

    board[mover][place] = 0;
    while (left--) {
        place++;
        if (place > ponds || (place == ponds && side != mover)) {
            side = 1 - side;
            place = 0;
        }
        board[side][place]++;
    }
    if (side != mover || place == ponds || board[side][place] != 1)
        return;
    int *opposite = &board[1 - side][ponds - 1 - place];
    if (*opposite) {
        board[side][ponds] += 1 + *opposite;
        board[side][place] = *opposite = 0;
    }
}

int main(void)
{
    char line[65536], colour = 'A', mover;
    int pond;

    srand((unsigned)time(NULL));
    setvbuf(stdout, NULL, _IOLBF, 0);   /* each line goes out at once */
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "[\"new\"", 6) == 0) {
            begin(line);
            colour = strstr(line, "\"colour\": \"")[11];
            puts("[\"ok\"]");
        } else if (strncmp(line, "[\"action\"", 9) == 0) {
            printf("[\"action\", %d]\n", choose(colour == 'B'));
        } else if (sscanf(line, "[\"update\", [\"%c\", %d]]", &mover, &pond) == 2) {
            sow(mover == 'B', pond);
            puts("[\"ok\"]");
        }
    }
}
