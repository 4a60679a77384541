/* Plays Kalaha against itself and says what a search thinks of positions on the way: see labels.py.

       labels ENDGAMES GAMES SEED < numbers > labels
       labels ENDGAMES NODES < numbers and positions > labels       of positions that are given

   A search that looks at 10 000 nodes of each of 320 000 positions takes Python two hours, and this two
   minutes.  It is the player's, as it was before it took positions for good enough as they stand: turns
   as plies, a table, the order of order.py, moves looked at less deeply, the tables of endgames.
   ENDGAMES is endgames.npy.  The numbers are the 12 rows of MINE and THEIRS in evaluate.py.  A label is the
   twelve ponds as the mover sees them, a byte each, and the score above the bank difference, two bytes; positions are given
   as twelve numbers. */

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 8, WORST = -1000001, SOLVED = 1000, DEEPEST = 99, ASPIRATION = 12, LATE = 3, DEEP = 4 };
enum { KNOWN = 12, PONDS = 6, BANK = 6, RING = 13, LEVELS = 21, SIDES = 4826809 };  /* 13 to the 6th */
enum { THOROUGH = 10000, QUICK = 2000, HASTY = 150 };  /* nodes: of a label, of a move, in a line */
enum { OVER, AGAIN, PASSED };                          /* what a move leads to */
enum { EXACT, LOWER, UPPER };

typedef struct { int lead; int8_t ponds[12]; } Position;  /* the mover's ponds 1 to 6, then the other's */
typedef struct { uint64_t mine, theirs; int16_t score, depth; int8_t bound, move; } Entry;
typedef struct { Entry *entries; uint64_t mask; } Table;

static int numbers[12][LEVELS];
static uint8_t *endgames;
static int rows[SIDES], columns[SIDES];

static int left(const Position *at) {
    int sum = 0;
    for (int pond = 0; pond < 12; pond++) sum += at->ponds[pond];
    return sum;
}

/* --- the tables of endgames, as endgames.py has them --- */

static int numbered(const int8_t *side) {
    int number = 0;
    for (int pond = PONDS - 1; pond >= 0; pond--) number = number * RING + side[pond];
    return number;
}

static void number_sides(int8_t *side, int pond, int rest, int *number, int *start, int length) {
    if (pond == PONDS - 1) {
        side[pond] = rest;
        rows[numbered(side)] = *start;
        columns[numbered(side)] = (*number)++;
        *start += length;
        return;
    }
    for (int here = 0; here <= rest; here++) {
        side[pond] = here;
        number_sides(side, pond + 1, rest - here, number, start, length);
    }
}

static void read_endgames(const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t head[10];
    if (!file || fread(head, 1, 10, file) != 10) exit(2);
    fseek(file, 0, SEEK_END);
    long begin = 10 + head[8] + 256 * head[9], size = ftell(file) - begin;  /* a numpy header says its length */
    uint8_t *packed = malloc(size);
    fseek(file, begin, SEEK_SET);
    if (fread(packed, 1, size, file) != (size_t)size) exit(2);
    fclose(file);
    endgames = malloc(2 * size);
    for (long place = 0; place < size; place++) {
        endgames[2 * place] = packed[place] & 15;
        endgames[2 * place + 1] = packed[place] >> 4;
    }
    free(packed);
    int number = 0, start = 0;
    for (int pebbles = 0; pebbles <= KNOWN; pebbles++) {
        long length = 1;
        for (int factor = 1; factor <= PONDS; factor++) length = length * (KNOWN - pebbles + factor) / factor;
        int8_t side[PONDS];
        number_sides(side, 0, pebbles, &number, &start, length);
    }
}

/* Whether the rest of the game is known; then its result is added to the lead. */
static int ended(Position *at) {
    int rest = left(at);
    if (rest > KNOWN) return 0;
    at->lead += UNIT * (2 * endgames[rows[numbered(at->ponds)] + columns[numbered(at->ponds + 6)]] - rest);
    return 1;
}

/* --- the rules, the order of moves, the evaluation --- */

static int play(const Position *at, int pond, Position *after) {
    *after = *at;
    int8_t *ponds = after->ponds;
    int pebbles = ponds[pond], last = (pond + pebbles) % RING, laps = pebbles / RING;
    ponds[pond] = 0;
    for (int place = 0; place < 12; place++) ponds[place] += laps;
    after->lead += laps * UNIT;
    for (int step = 1; step <= pebbles % RING; step++) {
        int place = (pond + step) % RING;
        if (place == BANK) after->lead += UNIT;
        else ponds[place > BANK ? place - 1 : place]++;
    }
    if (last < BANK && ponds[last] == 1 && ponds[11 - last]) {
        after->lead += UNIT * (ponds[11 - last] + 1);
        ponds[last] = ponds[11 - last] = 0;
    }
    int mine = 0, theirs = 0;
    for (int place = 0; place < PONDS; place++) mine += ponds[place], theirs += ponds[place + 6];
    if (!mine || !theirs) {
        after->lead += (mine - theirs) * UNIT;
        memset(ponds, 0, 12);
        return OVER;
    }
    if (last == BANK) return AGAIN;
    after->lead = -after->lead;
    for (int place = 0; place < PONDS; place++) {
        int8_t swap = ponds[place];
        ponds[place] = ponds[place + 6];
        ponds[place + 6] = swap;
    }
    return PASSED;
}

static int ordered(const Position *at, int *moves) {
    static const int given[] = {0, 1, 2, 4, 8, 12};
    int count = 0, ahead = 0, most = 0, first = 0, ranks[PONDS];
    for (int pond = PONDS - 1; pond >= 0; pond--) {
        int pebbles = at->ponds[pond], last = (pond + pebbles) % RING, rank, place;
        if (!pebbles) continue;
        if (last == BANK) {
            rank = 1000 + pond;
            ahead++;
        } else {
            int kind = 0;
            while (kind < 5 && pond + pebbles - PONDS > given[kind]) kind++;
            rank = pond - given[kind];
        }
        for (place = count++; place && ranks[place - 1] < rank; place--) {
            ranks[place] = ranks[place - 1];
            moves[place] = moves[place - 1];
        }
        ranks[place] = rank;
        moves[place] = pond;
    }
    for (int pond = 0; pond < PONDS; pond++) {
        int pebbles = at->ponds[pond], last = (pond + pebbles) % RING;
        if (!pebbles || pebbles > RING || last >= BANK || (at->ponds[last] && pebbles != RING)) continue;
        if (at->ponds[11 - last] > most) {
            most = at->ponds[11 - last];
            first = pond;
        }
    }
    if (most) {
        int place = 0, wanted = most >= 4 ? 0 : ahead;
        while (moves[place] != first) place++;
        for (; place > wanted; place--) moves[place] = moves[place - 1];
        for (; place < wanted; place++) moves[place] = moves[place + 1];
        moves[wanted] = first;
    }
    return count;
}

static int evaluated(const Position *at) {
    int score = at->lead;
    for (int pond = 0; pond < 12; pond++) {
        int pebbles = at->ponds[pond];
        score += numbers[pond][pebbles < LEVELS ? pebbles : LEVELS - 1];
    }
    return score;
}

/* --- the search: shared/alphabeta.py --- */

static Table *table;
static long nodes, limit;
static int horizon, best_move, best_score;
static jmp_buf stopped;

static void count(void) {
    if (nodes >= limit) longjmp(stopped, 1);
    nodes++;
}

static Entry *entry_of(const Position *at, uint64_t *mine, uint64_t *theirs) {
    *mine = *theirs = 0;
    for (int pond = PONDS - 1; pond >= 0; pond--) {
        *mine = *mine << 7 | at->ponds[pond];
        *theirs = *theirs << 7 | at->ponds[pond + 6];
    }
    uint64_t hash = *mine * 0x9E3779B97F4A7C15ULL ^ (*theirs + 0x7F4A7C15) * 0xC2B2AE3D27D4EB4FULL;
    hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9ULL;
    hash ^= hash >> 32;
    return table->entries + (hash & table->mask);
}

static int value(const Position *at, int depth, int alpha, int beta, int ply) {
    int horizon_before = horizon, floor = alpha, tabled = -1, moves[PONDS];
    uint64_t mine, theirs;
    Entry *entry = NULL;
    if (depth >= 2) {
        entry = entry_of(at, &mine, &theirs);
        if (entry->mine == mine && entry->theirs == theirs) {
            tabled = entry->move;
            if (entry->depth >= depth && ply) {
                int score = entry->score + at->lead;
                if (entry->bound == EXACT || (entry->bound == LOWER ? score >= beta : score <= alpha)) {
                    horizon += entry->depth != SOLVED;
                    return score;
                }
            }
        }
    }
    int number = ordered(at, moves);
    if (!ply) tabled = best_move;
    if (tabled >= 0) {
        int place = 0;
        while (place < number && moves[place] != tabled) place++;
        if (place < number) {
            for (; place > 0; place--) moves[place] = moves[place - 1];
            moves[0] = tabled;
        }
    }
    int best = WORST, choice = -1, tried = 0, upper = beta;
    for (int place = 0; place < number; place++) {
        Position after;
        int score, certain = 0;
        count();
        int next = play(at, moves[place], &after);
        if (next == OVER) {
            score = after.lead;
            certain = 1;
            tried++;
        } else if (ended(&after)) {
            score = next == AGAIN ? after.lead : -after.lead;
            certain = 1;
            tried += next == PASSED;
        } else if (next == AGAIN) {
            score = value(&after, depth, alpha, upper, ply + 1);
        } else if (depth > 1) {
            int less = tried >= LATE && depth >= DEEP;
            tried++;
            score = -value(&after, depth - 1 - less, -upper, -alpha, ply + 1);
            if (less && score > alpha) {
                count();
                score = -value(&after, depth - 1, -upper, -alpha, ply + 1);
            }
        } else {
            score = -evaluated(&after);
            certain = 1;
        }
        if (score <= best) continue;
        if (alpha < score && score < beta && upper < beta && !certain) {  /* look with the whole window */
            int kept_move = best_move, kept_score = best_score;
            if (!ply) best_move = moves[place], best_score = score;
            count();
            if (next == AGAIN) score = value(&after, depth, alpha, beta, ply + 1);
            else score = -value(&after, depth - 1, -beta, -alpha, ply + 1);
            if (score <= alpha) {
                if (!ply) best_move = kept_move, best_score = kept_score;
                if (score <= best) continue;
            }
        }
        best = score;
        choice = moves[place];
        if (score > alpha) {
            alpha = score;
            if (!ply) best_move = choice, best_score = score;
            if (score >= beta) break;
            upper = alpha + 1;
        }
    }
    if (depth == 1) horizon++;
    if (entry) {
        int bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER;
        int held = horizon == horizon_before ? SOLVED : depth;
        *entry = (Entry){mine, theirs, best - at->lead, held, bound, choice};
    }
    return best;
}

/* The best move with so many nodes; its score is in best_score, if there was a choice. */
static int searched(Table *with, const Position *at, long most) {
    volatile int guess = 0;
    int moves[PONDS], number = ordered(at, moves);
    table = with;
    nodes = 0;
    limit = most;
    best_move = moves[0];
    best_score = 0;
    if (number == 1 || setjmp(stopped)) return best_move;
    for (int depth = 1; depth <= DEEPEST; depth++) {
        int horizon_before = horizon, score, width = ASPIRATION;
        int low = depth == 1 ? WORST : guess - width, high = depth == 1 ? -WORST : guess + width;
        for (;;) {
            count();
            score = value(at, depth, low, high, 0);
            width *= 4;
            if (depth > 1 && score <= low) low = score - width;
            else if (depth > 1 && score >= high) high = score + width;
            else break;
        }
        best_score = guess = score;
        if (horizon == horizon_before) break;
    }
    return best_move;
}

static void forget(Table *what) {
    memset(what->entries, 0, (what->mask + 1) * sizeof(Entry));
    for (uint64_t place = 0; place <= what->mask; place++) what->entries[place].mine = ~0ULL;
}

static Table new_table(int bits) {
    Table made = {malloc(sizeof(Entry) << bits), (1ULL << bits) - 1};
    forget(&made);
    return made;
}

/* --- the games --- */

static uint64_t lots;

static uint64_t draw(void) {
    lots ^= lots << 13;
    lots ^= lots >> 7;
    lots ^= lots << 17;
    return lots * 0x2545F4914F6CDD1DULL;
}

static Table playing, judging;

/* Some moves on: all at random, or better and worse ones such as the player looks at; 0 if the game ends. */
static int wandered(Position *at, int at_random) {
    int steps = at_random ? draw() % 4 : 2 + draw() % 5;
    while (steps--) {
        Position after;
        int moves[PONDS], number = ordered(at, moves), place;
        place = at_random ? draw() % number : draw() % (number > 3 ? 3 : number);
        if (!at_random && draw() % 4 == 0) place = draw() % number;
        int move = moves[place];
        if (!at_random && draw() % 3) {
            forget(&playing);
            move = searched(&playing, at, HASTY);
        }
        if (play(at, move, &after) == OVER) return 0;
        *at = after;
    }
    return left(at) > KNOWN;
}

/* Writes the label of a position, looked at from where there is a choice, unless the endgames know it. */
static void label(const Position *seen, long most) {
    Position at = *seen, after;
    int moves[PONDS], sign = 1, over = 0;
    forget(&judging);
    while (!over && ordered(&at, moves) == 1) {
        int next = play(&at, moves[0], &after);
        over = next == OVER;
        if (next == PASSED) sign = -sign;
        at = after;
    }
    if (!over && left(&at) <= KNOWN) return;
    if (!over) searched(&judging, &at, most);
    int16_t score = sign * (over ? at.lead : best_score) - seen->lead;
    fwrite(seen->ponds, 1, 12, stdout);
    fwrite(&score, 2, 1, stdout);
}

static void game(uint64_t seed) {
    Position at = {0, {6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6}}, after;
    int moves[PONDS];
    lots = seed * 0x9E3779B97F4A7C15ULL + 88172645463325252ULL;
    for (int spin = 0; spin < 10; spin++) draw();
    for (int steps = draw() % 10 + 1; steps; steps--) {
        int number = ordered(&at, moves);
        if (play(&at, moves[draw() % number], &after) == OVER) return;
        at = after;
    }
    do {
        for (int at_random = 0; at_random < 2; at_random++) {
            Position nearby = at;
            if (wandered(&nearby, at_random)) label(&nearby, THOROUGH);
        }
        int number = ordered(&at, moves);
        int move = draw() % 10 == 0 ? moves[draw() % number] : searched(&playing, &at, QUICK);
        if (play(&at, move, &after) == OVER) return;
        at = after;
    } while (left(&at) > KNOWN);
}

static void label_given(long most) {
    Position at = {0};
    for (;;) {
        for (int pond = 0; pond < 12; pond++)
            if (scanf("%hhd", at.ponds + pond) != 1) return;
        label(&at, most);
    }
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 3 && count_of_arguments != 4) return 2;
    read_endgames(arguments[1]);
    for (int number = 0; number < 12 * LEVELS; number++)
        if (scanf("%d", numbers[number / LEVELS] + number % LEVELS) != 1) return 2;
    if (count_of_arguments == 3) {
        judging = new_table(20);
        label_given(atol(arguments[2]));
    } else {
        playing = new_table(12);
        judging = new_table(13);
        for (int number = 0; number < atoi(arguments[2]); number++)
            game(strtoull(arguments[3], NULL, 10) * 1000003ULL + number);
    }
    return fclose(stdout) ? 1 : 0;
}
