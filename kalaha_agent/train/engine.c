/* The agent's search once more, twenty times as fast: see engine.py.

   Sides, moves and scores are those of position.py and tree.py, for 6 ponds a side and 72 pebbles at most; all
   numbers come from the Python modules. With a table of the same size a search looks at the same nodes as tree.py's. */

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

enum { PONDS = 6, WIDTH = 7, FIELD = 127, HALF = 21, RING = 13, PEBBLES = 72, UNIT = 8, DEEPEST = 100 };
enum { LEVELS = 21, HALVES = LEVELS * LEVELS * LEVELS, RICH = 4, MOST_MARGINS = 16 };
enum { OWN_BANK = -1, THEIR_SIDE = -2, EXACT = 0, LOWER = 1, UPPER = 2, SOLVED = 1000 };
enum { ASPIRATION, LATE, DEEP, REMEMBERED, STARVING, NEAR, MARGINS, SETTINGS = MARGINS + MOST_MARGINS };
enum { FAR_FROM_ENDING = 45, ORIGIN = 4096, SCORE = 42, BOUND = 55, MOVE = 57, DEPTH = 42, HASHED = 1 << 16 };
#define UNBOUNDED (1 << 28)
#define WORST (-(1 << 29))
#define SIDE ((1ULL << PONDS * WIDTH) - 1)
#define LOW ((1ULL << HALF) - 1)

typedef struct { u64 added, given; int banked, end; } Sowing;
typedef struct { int lead; u64 mine, theirs; } Position;
typedef struct { int worth, pond, ahead; u64 my, their; int end; } Child;
/* Bits 0-41 of `mine` and of `theirs`: the sides; above them in `mine` score, bound and move, in `theirs` depth. */
typedef struct { u64 mine, theirs; } Entry;

typedef struct {
    Entry *entries;
    long size, nodes, limit;
    int16_t promised[4][HALVES]; /* mine near, mine far, theirs near, theirs far */
    int settings[SETTINGS];
    int horizon, move, score, depth, moves, order[PONDS];
    jmp_buf stopped;
} Tree;

static Sowing SOW[PONDS][PEBBLES + 1];
static int KIND[PONDS][PEBBLES + 1], END[PONDS][PEBBLES + 1], LEVEL[3][FIELD + 1];

/* --- endgames: rows and columns of sides, found by hashing --- */

static u64 known_side[HASHED];
static int known_row[HASHED], known_column[HASHED], most_known, known_pebbles;
static uint8_t *endgames;

static int slot_of(u64 side) {
    int slot = side * 0x9E3779B97F4A7C15ULL >> 48;
    while (known_side[slot] && known_side[slot] != side) slot = (slot + 1) % HASHED;
    return slot;
}

/* Tells the rules and the tables; sowings are four numbers each, [pond][pebbles]. */
void begin(const int64_t *sowings, int pebbles, int sides, const u64 *side, const int *rows, const int *columns,
           uint8_t *entries) {
    static const int given[] = {0, 1, 2, 4, 8, 12};
    for (int pond = 0; pond < PONDS; pond++)
        for (int count = 0; count <= PEBBLES; count++, sowings += 4) {
            SOW[pond][count] = (Sowing){sowings[0], sowings[1], sowings[2], sowings[3]};
            int last = (pond + count) % RING, kind = 0;
            while (kind < 5 && pond + count - PONDS > given[kind]) kind++;
            KIND[pond][count] = last == PONDS ? 1000 + pond : pond - given[kind];
            END[pond][count] = count && count <= RING && last < PONDS ? last : -1;
        }
    for (int count = 0; count <= FIELD; count++)
        for (int place = 0, factor = 1; place < 3; place++, factor *= LEVELS)
            LEVEL[place][count] = factor * (count < LEVELS ? count : LEVELS - 1);
    known_pebbles = most_known = pebbles;
    endgames = entries;
    for (int number = 0; number < sides; number++) {
        int slot = slot_of(side[number]);
        known_side[slot] = side[number];
        known_row[slot] = rows[number];
        known_column[slot] = columns[number];
    }
}

static int known(u64 my, u64 their, int again) {
    int left = (my + their) % FIELD;
    if (again) return UNIT * (2 * endgames[known_row[slot_of(my)] + known_column[slot_of(their)]] - left);
    return -UNIT * (2 * endgames[known_row[slot_of(their)] + known_column[slot_of(my)]] - left);
}

/* --- moves, in the order of order.py, and the evaluation --- */

static int pebbles_in(u64 side, int pond) { return side >> pond * WIDTH & FIELD; }

static int choices(u64 mine, u64 theirs, int *moves) {
    int count = 0, ahead = 0, most = 0, first = 0, ranks[PONDS];
    for (int pond = PONDS - 1; pond >= 0; pond--) {
        int pebbles = pebbles_in(mine, pond);
        if (!pebbles) continue;
        int rank = KIND[pond][pebbles], place = count++;
        ahead += rank >= 1000;
        for (; place && ranks[place - 1] < rank; place--) {
            ranks[place] = ranks[place - 1];
            moves[place] = moves[place - 1];
        }
        ranks[place] = rank;
        moves[place] = pond;
    }
    for (int pond = 0; pond < PONDS; pond++) {
        int pebbles = pebbles_in(mine, pond), last = END[pond][pebbles];
        if (last < 0 || (pebbles != RING && pebbles_in(mine, last))) continue;
        int caught = pebbles_in(theirs, PONDS - 1 - last);
        if (caught > most) {
            most = caught;
            first = pond;
        }
    }
    if (most) {
        int place = 0, wanted = most >= RICH ? 0 : ahead;
        while (moves[place] != first) place++;
        for (; place > wanted; place--) moves[place] = moves[place - 1];
        for (; place < wanted; place++) moves[place] = moves[place + 1];
        moves[wanted] = first;
    }
    return count;
}

static int half(const int16_t *promised, u64 side) {
    return promised[LEVEL[0][side & FIELD] + LEVEL[1][side >> WIDTH & FIELD] + LEVEL[2][side >> 2 * WIDTH & FIELD]];
}

static int promise(const Tree *t, u64 mine, u64 theirs) {
    return half(t->promised[0], mine) + half(t->promised[1], mine >> HALF) + half(t->promised[2], theirs) +
           half(t->promised[3], theirs >> HALF);
}

static int evaluate(const Tree *t, Position at) {
    return at.mine ? at.lead + promise(t, at.mine, at.theirs) : at.lead;
}

static Child sown(const Tree *t, int lead, u64 mine, u64 theirs, int pond, int judged) {
    const Sowing *sowing = &SOW[pond][pebbles_in(mine, pond)];
    u64 my = mine + sowing->added, their = theirs + sowing->given;
    int ahead = lead + sowing->banked, end = sowing->end, worth = 0;
    if (end >= 0 && (my >> end & FIELD) == 1) {
        int opposite = (PONDS - 1) * WIDTH - end, caught = their >> opposite & FIELD;
        if (caught) {
            ahead += (caught + 1) * UNIT;
            my -= 1ULL << end;
            their -= (u64)caught << opposite;
        }
    }
    if (!my || !their) {
        worth = ahead = ahead + ((int)(my % FIELD) - (int)(their % FIELD)) * UNIT;
        my = their = 0;
        end = THEIR_SIDE;
    } else if ((int)((my + their) % FIELD) <= known_pebbles) {
        worth = ahead = ahead + known(my, their, end == OWN_BANK);
        my = their = 0;
    } else if (judged) {
        worth = ahead + (end == OWN_BANK ? promise(t, my, their) : -promise(t, their, my));
    }
    return (Child){worth, pond, ahead, my, their, end};
}

static int ready(const Tree *t, int lead, u64 mine, u64 theirs, const int *ponds, int count, Child *children) {
    for (int number = 0; number < count; number++) {
        Child child = sown(t, lead, mine, theirs, ponds[number], 1);
        int place = number;
        for (; place && children[place - 1].worth < child.worth; place--) children[place] = children[place - 1];
        children[place] = child;
    }
    return count;
}

/* The position after a move, by who moves there: `again` says whether that is the same player. */
static Position played(Position at, int pond, int *again) {
    Child child = sown(NULL, at.lead, at.mine, at.theirs, pond, 0);
    *again = child.end == OWN_BANK;
    return *again ? (Position){child.ahead, child.my, child.their} : (Position){-child.ahead, child.their, child.my};
}

/* --- the search: tree.py --- */

static void count(Tree *t) {
    if (t->nodes >= t->limit) longjmp(t->stopped, 1);
    t->nodes++;
}

static Entry *place_of(const Tree *t, u64 mine, u64 theirs) {
    u64 size = t->size;
    return t->entries + ((mine % size) * ((1ULL << PONDS * WIDTH) % size) + theirs) % size;
}

static void keep(Entry *entry, u64 mine, u64 theirs, int depth, int bound, int score, int move) {
    *entry = (Entry){mine | (u64)(score + ORIGIN) << SCORE | (u64)bound << BOUND | (u64)move << MOVE,
                     theirs | (u64)depth << DEPTH};
}

static int last(Tree *t, int lead, u64 mine, u64 theirs, int beta) {
    if (!mine) return lead;
    int best = WORST, moves[PONDS], number = choices(mine, theirs, moves);
    t->horizon++;
    for (int place = 0; place < number; place++) {
        count(t);
        Child child = sown(t, lead, mine, theirs, moves[place], 1);
        int score = child.worth;
        if (child.end == OWN_BANK && child.my) {
            int wary = (int)(child.their % FIELD) - (int)(child.my % FIELD) >= t->settings[STARVING];
            score -= t->settings[MARGINS + 1];
            if (t->settings[NEAR] < 2 || score < beta || wary) score = last(t, child.ahead, child.my, child.their, beta);
        }
        if (score > best) {
            if (score >= beta) return score;
            best = score;
        }
    }
    return best;
}

static int value(Tree *t, int lead, u64 mine, u64 theirs, int depth, int beta) {
    if (depth == 1) return last(t, lead, mine, theirs, beta);
    if (!mine) return lead;
    int horizon_before = t->horizon, tabled = -1, near = t->settings[NEAR], starving = t->settings[STARVING];
    const int *margins = t->settings + MARGINS;
    Entry *entry = NULL;
    if (depth >= t->settings[REMEMBERED]) {
        entry = place_of(t, mine, theirs);
        if ((entry->mine & SIDE) == mine && (entry->theirs & SIDE) == theirs) {
            int held = entry->theirs >> DEPTH;
            tabled = entry->mine >> MOVE;
            if (held >= depth) {
                int score = (int)(entry->mine >> SCORE & (2 * ORIGIN - 1)) - ORIGIN + lead;
                int bound = entry->mine >> BOUND & 3;
                if (bound == EXACT || (bound == LOWER ? score >= beta : score < beta)) {
                    t->horizon += held != SOLVED;
                    return score;
                }
            }
        }
    }
    int moves[PONDS], number, best = WORST, choice = 0, tried = 0;
    Child children[PONDS];
    if (tabled < 0) {
        number = choices(mine, theirs, moves);
        ready(t, lead, mine, theirs, moves, number, children);
    } else {
        number = 1;
        ready(t, lead, mine, theirs, &tabled, 1, children);
    }
    for (;;) {
        for (int place = 0; place < number; place++) {
            Child child = children[place];
            int score;
            count(t);
            int more = (int)(child.their % FIELD) - (int)(child.my % FIELD); /* pebbles of the other's */
            if (child.end == OWN_BANK) {
                if (!child.my) score = child.worth;
                else if (depth < near && child.worth - margins[depth] >= beta && more < starving) {
                    score = child.worth - margins[depth];
                    t->horizon++;
                } else score = value(t, child.ahead, child.my, child.their, depth, beta);
            } else {
                int less = tried >= t->settings[LATE] && depth >= t->settings[DEEP];
                int rest = depth - 1 - less;
                if (!child.my) score = child.worth;
                else if (rest < near && child.worth + margins[rest] < beta && -more < starving) {
                    score = child.worth + margins[rest];
                    t->horizon++;
                } else score = -value(t, -child.ahead, child.their, child.my, rest, 1 - beta);
                if (less && score >= beta) {
                    count(t);
                    score = -value(t, -child.ahead, child.their, child.my, depth - 1, 1 - beta);
                }
                tried++;
            }
            if (score > best) {
                best = score;
                choice = child.pond;
                if (score >= beta) goto done;
            }
        }
        if (tabled < 0) break;
        int others = 0, all = choices(mine, theirs, moves);
        for (int place = 0; place < all; place++)
            if (moves[place] != tabled) moves[others++] = moves[place];
        number = ready(t, lead, mine, theirs, moves, others, children);
        tabled = -1;
    }
done:
    if (entry) {
        if (t->horizon == horizon_before) depth = SOLVED;
        keep(entry, mine, theirs, depth, best >= beta ? LOWER : UPPER, best - lead, choice);
    }
    return best;
}

static int wide(Tree *t, Position at, int depth, int alpha, int beta, int ply) {
    if (ply && beta - alpha == 1) {
        if (depth < t->settings[NEAR] && at.mine) {
            int score = evaluate(t, at) - t->settings[MARGINS + depth];
            if (score >= beta && (int)(at.theirs % FIELD) - (int)(at.mine % FIELD) < t->settings[STARVING]) {
                t->horizon++;
                return score;
            }
        }
        return value(t, at.lead, at.mine, at.theirs, depth, beta);
    }
    if (!at.mine) return at.lead;
    int floor = alpha, horizon_before = t->horizon, tabled = -1, moves[PONDS], number;
    Entry *entry = NULL;
    if (depth >= t->settings[REMEMBERED]) {
        entry = place_of(t, at.mine, at.theirs);
        if ((entry->mine & SIDE) == at.mine && (entry->theirs & SIDE) == at.theirs) {
            int held = entry->theirs >> DEPTH;
            tabled = entry->mine >> MOVE;
            if (held >= depth && ply) {
                int score = (int)(entry->mine >> SCORE & (2 * ORIGIN - 1)) - ORIGIN + at.lead;
                int bound = entry->mine >> BOUND & 3;
                if (bound == EXACT || (bound == LOWER ? score >= beta : score <= alpha)) {
                    t->horizon += held != SOLVED;
                    return score;
                }
            }
        }
    }
    if (!ply) {
        number = t->moves;
        memcpy(moves, t->order, sizeof moves);
    } else {
        number = choices(at.mine, at.theirs, moves);
        if (depth > 1) {
            Child children[PONDS];
            ready(t, at.lead, at.mine, at.theirs, moves, number, children);
            for (int place = 0; place < number; place++) moves[place] = children[place].pond;
            if (tabled >= 0) {
                int place = 0;
                while (moves[place] != tabled) place++;
                for (; place; place--) moves[place] = moves[place - 1];
                moves[0] = tabled;
            }
        }
    }
    int best = WORST, choice = 0, tried = 0, upper = beta;
    for (int place = 0; place < number; place++) {
        int again, score;
        count(t);
        Position child = played(at, moves[place], &again);
        if (again) score = wide(t, child, depth, alpha, upper, ply + 1);
        else if (depth > 1) {
            int less = tried >= t->settings[LATE] && depth >= t->settings[DEEP];
            score = -wide(t, child, depth - 1 - less, -upper, -alpha, ply + 1);
            if (less && score > alpha) {
                count(t);
                score = -wide(t, child, depth - 1, -upper, -alpha, ply + 1);
            }
            tried++;
        } else score = -evaluate(t, child);
        if (score <= best) continue;
        if (alpha < score && score < beta && upper < beta && (again || depth > 1)) { /* look with the whole window */
            int kept_move = t->move, kept_score = t->score;
            if (!ply) t->move = moves[place], t->score = score;
            count(t);
            if (again) score = wide(t, child, depth, alpha, beta, ply + 1);
            else score = -wide(t, child, depth - 1, -beta, -alpha, ply + 1);
            if (score <= alpha) {
                if (!ply) t->move = kept_move, t->score = kept_score;
                if (score <= best) continue;
            }
        }
        best = score;
        choice = moves[place];
        if (score > alpha) {
            alpha = score;
            if (!ply) {
                int at_place = 0;
                t->move = choice;
                t->score = score;
                while (t->order[at_place] != choice) at_place++;
                for (; at_place; at_place--) t->order[at_place] = t->order[at_place - 1];
                t->order[0] = choice;
            }
            if (score >= beta) break;
        }
        upper = alpha + 1;
    }
    if (depth == 1) t->horizon++;
    if (entry) {
        int bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER;
        keep(entry, at.mine, at.theirs, t->horizon == horizon_before ? SOLVED : depth, bound, best - at.lead, choice);
    }
    return best;
}

/* The best move with so many nodes; whether looking deeper could change nothing is in `exact`. */
static int best(Tree *t, Position at, long nodes, int *exact) {
    t->moves = choices(at.mine, at.theirs, t->order);
    known_pebbles = (int)((at.mine + at.theirs) % FIELD) <= FAR_FROM_ENDING ? most_known : 0;
    t->nodes = t->score = t->depth = 0;
    t->limit = nodes;
    t->move = t->order[0];
    *exact = 0;
    if (t->moves == 1 || setjmp(t->stopped)) return t->move;
    int guess = 0;
    while (t->depth < DEEPEST && !*exact) {
        int depth = t->depth + 1, width = t->settings[ASPIRATION], horizon_before, score;
        int low = depth > 1 ? guess - width : -UNBOUNDED, high = depth > 1 ? guess + width : UNBOUNDED;
        for (;;) {
            horizon_before = t->horizon;
            count(t);
            score = wide(t, at, depth, low, high, 0);
            width *= 4;
            if (score <= low) low = score - width;
            else if (score >= high) high = score + width;
            else break;
        }
        *exact = t->horizon == horizon_before;
        t->depth = depth;
        guess = score;
    }
    return t->move;
}

/* --- what engine.py calls --- */

void tree_forget(Tree *t) { memset(t->entries, 0, t->size * sizeof(Entry)); }

Tree *tree_new(const int *settings, long size, const int16_t *promised) {
    Tree *t = calloc(1, sizeof(Tree));
    t->entries = calloc(size, sizeof(Entry));
    t->size = size;
    memcpy(t->settings, settings, sizeof t->settings);
    memcpy(t->promised, promised, sizeof t->promised);
    return t;
}

void tree_free(Tree *t) {
    free(t->entries);
    free(t);
}

void search(Tree *t, int lead, u64 mine, u64 theirs, int64_t nodes, int64_t *out) {
    int exact;
    out[0] = best(t, (Position){lead, mine, theirs}, nodes, &exact);
    out[1] = t->score;
    out[2] = t->depth;
    out[3] = t->nodes;
    out[4] = exact;
}

/* What the mover of a position leads by at the end of a game, in units; trees[0] is his. */
int game(Tree **trees, const int64_t *nodes, int lead, u64 mine, u64 theirs) {
    Position at = {lead, mine, theirs};
    int mover = 0, exact, again;
    while (at.mine) {
        at = played(at, best(trees[mover], at, nodes[mover], &exact), &again);
        mover ^= !again;
    }
    return mover ? -at.lead : at.lead;
}
