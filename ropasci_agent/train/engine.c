/* The matrices of the agent's search in C: see engine.py.

   Hexes, moves and values are those of position.py, payoffs.py and evaluate.py, the simplex method is that of
   shared/matrix.py, stages further on are looked at as in tree.py; all numbers come from the Python modules.  Every
   matrix is seen by one player, "me" (0 in arrays of two), whose moves are the rows. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

enum { INDICES = 183, FIRST_STEP = 183, THROWS = 9, MAX_TURNS = 360, MOST_MOVES = 512, FIELD = 5, PLACES = 1 << 15 };
enum { MOST_CELLS = 8, ENTRIES = 8, MOST_CODES = 64 };

typedef struct { int turn, thrown[2]; signed char number[2][INDICES]; } Position;

/* The moves of one player and what each changes if the other's does not meet it: payoffs.Changes. */
typedef struct {
    int many, throws, kinds;          /* the first are throws; different materials */
    int move[MOST_MOVES], end[MOST_MOVES], left[MOST_MOVES], symbol[MOST_MOVES], put[MOST_MOVES];
    int leave[MOST_MOVES], hit[MOST_MOVES], put_amount[MOST_MOVES], own[MOST_MOVES], enemy[MOST_MOVES];
    i64 code[MOST_MOVES], codes[MOST_CODES];
    int kind[MOST_MOVES];
} Side;

typedef struct { i64 code; double odds, share, rest; } Material;

typedef struct {                      /* evaluate.Evaluation */
    double pairs[INDICES][INDICES], single[2][THROWS + 1][INDICES], widens[2][THROWS + 1][INDICES];
    double tokens[10], throws[10], symbols[4], unreached[4], invincible[4], hunted[4], lead, prey, chased;
    Material known[PLACES];
    int many;
} Evaluation;

typedef struct { double *values; int rows, columns; unsigned char *known; Side side[2]; } Matrix;

static u64 NEXT[61], SECOND[61], ZONE[2][THROWS + 1];
static i64 KEYS[2][INDICES];
static double HASTE, EVEN, FAR, CARRIES_BEHIND;
static const int BEATEN_BY[3] = {1, 2, 0};

static int least(int a, int b) { return a < b ? a : b; }

void begin(const u64 *next, const u64 *second, const u64 *zones, const i64 *keys, const double *numbers) {
    memcpy(NEXT, next, sizeof NEXT);
    memcpy(SECOND, second, sizeof SECOND);
    memcpy(ZONE, zones, sizeof ZONE);
    memcpy(KEYS, keys, sizeof KEYS);
    HASTE = numbers[0], EVEN = numbers[1], FAR = numbers[2], CARRIES_BEHIND = numbers[3];
}

/* --- positions --- */

/* From the numbers of position.py, its boards of 31 bytes each one after the other. */
void unpack(Position *position, int turn, int upper, int lower, const unsigned char *boards) {
    *position = (Position){turn, {upper, lower}, {{0}}};
    for (int board = 0; board < 6; board++)
        for (int hex = 0; hex < 61; hex++)
            position->number[board / 3][61 * (board % 3) + hex] = boards[31 * board + hex / 2] >> 4 * (hex & 1) & 15;
}

static int symbol_at(const signed char *number, int hex) {
    return number[hex] ? 0 : number[61 + hex] ? 1 : number[122 + hex] ? 2 : 3;
}

static void play(Position *position, const int *moves) {
    int ends[2];
    position->turn++;
    int symbols[2];
    for (int player = 0; player < 2; player++) {
        int move = moves[player];
        if (move < FIRST_STEP) {
            symbols[player] = move / 61, ends[player] = move % 61;
            position->thrown[player]++;
        } else {
            int from = (move - FIRST_STEP) / 61;
            ends[player] = (move - FIRST_STEP) % 61;
            symbols[player] = symbol_at(position->number[player], from);
            position->number[player][61 * symbols[player] + from]--;
        }
    }
    for (int player = 0; player < 2; player++) position->number[player][61 * symbols[player] + ends[player]]++;
    for (int place = 0; place < 2; place++) {
        int present[3];
        for (int s = 0; s < 3; s++)
            present[s] = position->number[0][61 * s + ends[place]] + position->number[1][61 * s + ends[place]];
        for (int s = 0; s < 3; s++)
            if (present[BEATEN_BY[s]])
                position->number[0][61 * s + ends[place]] = position->number[1][61 * s + ends[place]] = 0;
    }
}

static i64 material_of(const Position *position) {
    i64 code = ((i64)position->thrown[0] << FIELD * 6) + ((i64)position->thrown[1] << FIELD * 7);
    for (int player = 0; player < 2; player++)
        for (int index = 0; index < INDICES; index++)
            code += (i64)position->number[player][index] << FIELD * (3 * player + index / 61);
    return code;
}

/* --- what a position is worth --- */

void *evaluation_new(const double *pairs, const double *single, const double *widens, const double *material) {
    Evaluation *evaluation = calloc(1, sizeof(Evaluation));
    memcpy(evaluation->pairs, pairs, sizeof evaluation->pairs);
    memcpy(evaluation->single, single, sizeof evaluation->single);
    memcpy(evaluation->widens, widens, sizeof evaluation->widens);
    memcpy(evaluation->tokens, material, 39 * sizeof(double));
    for (int place = 0; place < PLACES; place++) evaluation->known[place].code = -1;
    return evaluation;
}

void evaluation_free(void *evaluation) { free(evaluation); }

static double of_side(const Evaluation *e, const int *mine, const int *theirs, int my_throws, int their_throws) {
    int tokens = mine[0] + mine[1] + mine[2], enemies = theirs[0] + theirs[1] + theirs[2], pairs = 0;
    int symbols = (mine[0] > 0) + (mine[1] > 0) + (mine[2] > 0), unreached = 3 - symbols - my_throws;
    for (int s = 0; s < 3; s++) pairs += theirs[s] * mine[BEATEN_BY[s]];
    double total = e->tokens[tokens] + e->throws[my_throws] + e->symbols[symbols];
    total += e->unreached[unreached > 0 ? unreached : 0];
    total += (tokens + my_throws) / (tokens + my_throws + enemies + their_throws + 1.0) * e->lead;
    total += pairs * e->prey;
    if (their_throws == 0) {
        double chased = fmin(1.0, e->chased / (enemies > 1 ? enemies : 1));
        int safe = 0;
        for (int s = 0; s < 3; s++) safe += theirs[BEATEN_BY[s]] ? 0 : mine[s];
        total += e->invincible[least(safe, 3)];
        for (int s = 0; s < 3; s++)
            if (theirs[s]) total += chased * theirs[s] * e->hunted[least(mine[BEATEN_BY[s]], 3)];
    }
    return total;
}

/* Player 0's points when tokens and throws end the game, -1 when they do not. */
static double decided(const int *upper, const int *lower, const int *left) {
    int many = upper[0] + upper[1] + upper[2], enemies = lower[0] + lower[1] + lower[2], safe[2] = {0, 0};
    int gone = !left[0] && !many, other_gone = !left[1] && !enemies;
    if (gone || other_gone) return gone && other_gone ? 0.5 : gone ? 0.0 : 1.0;
    for (int s = 0; s < 3; s++) {
        safe[0] |= !left[1] && upper[s] && !lower[BEATEN_BY[s]];
        safe[1] |= !left[0] && lower[s] && !upper[BEATEN_BY[s]];
    }
    if (safe[0] && safe[1]) return 0.5;
    if (safe[0] && !left[1] && enemies == 1) return 1.0;
    if (safe[1] && !left[0] && many == 1) return 0.0;
    return -1.0;
}

static int hopeless(const int *mine, const int *theirs, int left) {
    for (int s = 0; s < 3; s++)
        if (!left && theirs[s] && !mine[BEATEN_BY[s]]) return 1;
    return 0;
}

static Material worked_out(const Evaluation *e, i64 code) {
    int counts[8], left[2];
    for (int place = 0; place < 8; place++) {
        counts[place] = code >> FIELD * place & ((1 << FIELD) - 1);
        if (counts[place] > THROWS) return (Material){code, 0.0, 0.0, 0.0};
    }
    left[0] = THROWS - counts[6], left[1] = THROWS - counts[7];
    int *upper = counts, *lower = counts + 3;
    double points = decided(upper, lower, left);
    if (points >= 0.0) return (Material){code, 0.0, 0.0, 2.0 * points - 1.0};
    /* More tokens than nine throws come in no cell that counts. */
    if (upper[0] + upper[1] + upper[2] > THROWS || lower[0] + lower[1] + lower[2] > THROWS)
        return (Material){code, 0.0, 0.0, 0.0};
    double odds = of_side(e, upper, lower, left[0], left[1]) - of_side(e, lower, upper, left[1], left[0]);
    if (hopeless(upper, lower, left[0])) return (Material){code, odds, 0.5, -0.5};
    if (hopeless(lower, upper, left[1])) return (Material){code, odds, 0.5, 0.5};
    return (Material){code, odds, 1.0, 0.0};
}

static Material looked_up(Evaluation *e, i64 code) {
    u64 place = (u64)code * 0x9E3779B97F4A7C15ull >> 49;
    for (;; place = (place + 1) & (PLACES - 1)) {
        if (e->known[place].code == code) return e->known[place];
        if (e->known[place].code == -1) break;
    }
    Material found = worked_out(e, code);
    if (e->many > PLACES / 2) {
        for (int i = 0; i < PLACES; i++) e->known[i].code = -1;
        e->many = 0;
        place = (u64)code * 0x9E3779B97F4A7C15ull >> 49;
    }
    e->many++;
    return e->known[place] = found;
}

/* The material as the player sees it, in the turn before this one or in the last. */
static Material seen_by(Evaluation *e, i64 code, int player, int last) {
    Material found = looked_up(e, code);
    if (last) {
        if (found.share > 0.0) found.rest = 0.0;
        found.share = 0.0;
    }
    if (player) found.odds = -found.odds, found.rest = -found.rest;
    return found;
}

/* tanh of each number, to some 1e-15; written so that the compiler takes four at once. */
static void tanh_all(double *numbers, int many, double times) {
    for (int i = 0; i < many; i++) {
        double x = 2.0 * times * numbers[i];
        x = x > 60.0 ? 60.0 : x < -60.0 ? -60.0 : x;
        double shifted = x * 1.4426950408889634 + 6755399441055744.0, whole = shifted - 6755399441055744.0;
        double r = x - whole * 6.93147180369123816490e-01;
        r -= whole * 1.90821492927058770002e-10;
        double p = 1.0 / 6227020800.0;
        p = p * r + 1.0 / 479001600.0;
        p = p * r + 1.0 / 39916800.0;
        p = p * r + 1.0 / 3628800.0;
        p = p * r + 1.0 / 362880.0;
        p = p * r + 1.0 / 40320.0;
        p = p * r + 1.0 / 5040.0;
        p = p * r + 1.0 / 720.0;
        p = p * r + 1.0 / 120.0;
        p = p * r + 1.0 / 24.0;
        p = p * r + 1.0 / 6.0;
        p = p * r + 0.5;
        p = p * r + 1.0;
        p = p * r + 1.0;
        union { double number; i64 bits; } power;
        power.number = shifted;
        power.bits = (power.bits + 1023) << 52;
        numbers[i] = 1.0 - 2.0 / (p * power.number + 1.0);
    }
}

static void squash(double *odds, int many, int turns) {
    double left = fmin(1.0, (MAX_TURNS - turns) / HASTE);
    if (left == 1.0) {
        tanh_all(odds, many, 0.5);
        return;
    }
    double even = EVEN * (1.0 - left), *straight = malloc(many * sizeof(double));
    for (int i = 0; i < many; i++) {
        double share = left * odds[i] / FAR;
        straight[i] = share > 1.0 ? 1.0 : share < -1.0 ? -1.0 : share;
    }
    tanh_all(odds, many, 0.5 * left);
    for (int i = 0; i < many; i++) odds[i] = (1.0 - even) * odds[i] + even * straight[i];
    free(straight);
}

/* --- moves and what they change --- */

static void add_move(Side *side, const Position *position, const int *standing, int player, int move) {
    int which = side->many++, throws = move < FIRST_STEP;
    int end = throws ? move % 61 : (move - FIRST_STEP) % 61, left = throws ? -1 : (move - FIRST_STEP) / 61;
    int symbol = throws ? move / 61 : standing[left], there = standing[end];
    int hits = there < 3 && BEATEN_BY[there] == symbol;
    side->move[which] = move, side->end[which] = end, side->left[which] = left, side->symbol[which] = symbol;
    side->put[which] = 61 * symbol + end;
    side->put_amount[which] = !(there < 3 && BEATEN_BY[symbol] == there);
    side->leave[which] = throws ? 0 : 61 * symbol + left;
    side->hit[which] = hits ? 61 * there + end : 0;
    side->own[which] = hits ? -position->number[player][61 * there + end] : 0;
    side->enemy[which] = hits ? -position->number[1 - player][61 * there + end] : 0;
    i64 code = throws ? 1ll << FIELD * (6 + player) : -(1ll << FIELD * (3 * player + symbol));
    if (side->put_amount[which]) code += 1ll << FIELD * (3 * player + symbol);
    if (hits) {
        code += side->own[which] * (1ll << FIELD * (3 * player + there));
        code += side->enemy[which] * (1ll << FIELD * (3 * (1 - player) + there));
    }
    side->code[which] = code;
    int kind = 0;
    while (kind < side->kinds && side->codes[kind] != code) kind++;
    if (kind == side->kinds) side->codes[side->kinds++] = code;
    side->kind[which] = kind;
}

static void list_moves(Side *side, const Position *position, int player) {
    int standing[61];
    u64 own = 0;
    for (int hex = 0; hex < 61; hex++) {
        int mine = symbol_at(position->number[player], hex);
        standing[hex] = mine < 3 ? mine : symbol_at(position->number[1 - player], hex);
        if (mine < 3) own |= 1ull << hex;
    }
    side->many = side->kinds = 0;
    for (int symbol = 0; symbol < 3; symbol++)
        for (u64 zone = ZONE[player][position->thrown[player]]; zone; zone &= zone - 1)
            add_move(side, position, standing, player, 61 * symbol + __builtin_ctzll(zone));
    side->throws = side->many;
    for (u64 rest = own; rest; rest &= rest - 1) {
        int from = __builtin_ctzll(rest);
        for (u64 to = NEXT[from]; to; to &= to - 1)
            add_move(side, position, standing, player, FIRST_STEP + 61 * from + __builtin_ctzll(to));
        u64 swings = 0;
        for (u64 pivots = NEXT[from] & own; pivots; pivots &= pivots - 1)
            swings |= NEXT[__builtin_ctzll(pivots)] & SECOND[from];
        for (; swings; swings &= swings - 1)
            add_move(side, position, standing, player, FIRST_STEP + 61 * from + __builtin_ctzll(swings));
    }
}

static double own(const Side *side, int which, const double *table) {
    double total = table[side->put[which]] * side->put_amount[which] + table[side->hit[which]] * side->own[which];
    return which < side->throws ? total : total - table[side->leave[which]];
}

static double enemies(const Side *side, int which, const double *table) {
    return table[side->hit[which]] * side->enemy[which];
}

/* Everything that changes where two moves meet: for each player indices and amounts. */
typedef struct { int many[2], index[2][ENTRIES], amount[2][ENTRIES]; } Met;

static void meet(Met *met, const Position *position, int me, const Side *sides, const int *which) {
    int ends[2] = {sides[0].end[which[0]], sides[1].end[which[1]]};
    met->many[0] = met->many[1] = 0;
    for (int place = 0; place < (ends[0] == ends[1] ? 1 : 2); place++) {
        int after[2][3], present[3] = {0, 0, 0}, hex = ends[place];
        for (int side = 0; side < 2; side++)
            for (int s = 0; s < 3; s++) {
                after[side][s] = position->number[side ^ me][61 * s + hex];
                if (s == sides[side].symbol[which[side]])
                    after[side][s] += (ends[side] == hex) - (sides[side].left[which[side]] == hex);
                present[s] += after[side][s];
            }
        for (int side = 0; side < 2; side++)
            for (int s = 0; s < 3; s++) {
                int change = (present[BEATEN_BY[s]] ? 0 : after[side][s]) - position->number[side ^ me][61 * s + hex];
                if (change) {
                    met->index[side][met->many[side]] = 61 * s + hex;
                    met->amount[side][met->many[side]++] = change;
                }
            }
    }
    for (int side = 0; side < 2; side++) {
        int left = sides[side].left[which[side]];
        if (left >= 0 && left != ends[0] && left != ends[1]) {
            met->index[side][met->many[side]] = sides[side].leave[which[side]];
            met->amount[side][met->many[side]++] = -1;
        }
    }
}

static double total(const Met *met, int side, const double *table) {
    double sum = 0.0;
    for (int i = 0; i < met->many[side]; i++) sum += table[met->index[side][i]] * met->amount[side][i];
    return sum;
}

/* --- the matrix of one stage --- */

typedef struct { double fill[MOST_MOVES * MOST_MOVES]; } Room;

/* `still`, unless NULL: what each player gains from his own moves if the other stands still. */
static void fill(Matrix *m, Evaluation *e, const Position *position, int me, double **still) {
    const int other = 1 - me, turns = position->turn + 1, last = turns >= MAX_TURNS;
    const double sign = me ? -1.0 : 1.0;
    Side *mine = m->side, *theirs = m->side + 1;
    const signed char *my_tokens = position->number[me], *their_tokens = position->number[other];
    const int rows = m->rows, columns = m->columns;
    /* 1. What one more token is worth, and what a throw of the other's would add to that. */
    static double worth[2][INDICES], wide[2][INDICES], row_gain[INDICES];
    double exposed[2] = {0.0, 0.0}, base = 0.0;
    for (int i = 0; i < INDICES; i++) {
        worth[0][i] = sign * e->single[me][position->thrown[other]][i];
        worth[1][i] = sign * e->single[other][position->thrown[me]][i];
        wide[0][i] = sign * e->widens[me][position->thrown[other]][i];
        wide[1][i] = sign * e->widens[other][position->thrown[me]][i];
        base += their_tokens[i] * worth[1][i];
        exposed[0] += my_tokens[i] * wide[0][i];
        exposed[1] += their_tokens[i] * wide[1][i];
    }
    for (int j = 0; j < INDICES; j++) {
        if (their_tokens[j])
            for (int i = 0; i < INDICES; i++) worth[0][i] -= their_tokens[j] * e->pairs[j][i];
        if (my_tokens[j])
            for (int i = 0; i < INDICES; i++) worth[1][i] += my_tokens[j] * e->pairs[j][i];
    }
    for (int i = 0; i < INDICES; i++) base += my_tokens[i] * worth[0][i];
    /* 2. Each player's change against everything as it stands. */
    static double row_change[MOST_MOVES], column_change[MOST_MOVES], row_wide[MOST_MOVES], column_wide[MOST_MOVES];
    for (int r = 0; r < rows; r++) {
        row_change[r] = own(mine, r, worth[0]) + enemies(mine, r, worth[1]);
        if (mine->enemy[r]) {
            double gain = e->pairs[mine->put[r]][mine->hit[r]] * mine->put_amount[r]
                        + e->pairs[mine->hit[r]][mine->hit[r]] * mine->own[r];
            if (r >= mine->throws) gain -= e->pairs[mine->leave[r]][mine->hit[r]];
            row_change[r] += gain * mine->enemy[r];
        }
        row_wide[r] = own(mine, r, wide[0]);  /* where a throw of theirs widens their zone */
    }
    for (int c = 0; c < columns; c++) {
        column_change[c] = own(theirs, c, worth[1]) + enemies(theirs, c, worth[0]);
        if (theirs->enemy[c]) {
            const double *row = e->pairs[theirs->hit[c]];
            double gain = row[theirs->put[c]] * theirs->put_amount[c] + row[theirs->hit[c]] * theirs->own[c];
            if (c >= theirs->throws) gain -= row[theirs->leave[c]];
            column_change[c] += gain * theirs->enemy[c];
        }
        column_wide[c] = own(theirs, c, wide[1]);
    }
    i64 now = material_of(position);
    if (still)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < m->side[side].many; i++) {
                Material found = seen_by(e, now + m->side[side].code[i], me, last);
                double odds = base + (side ? column_change : row_change)[i] + found.odds;
                squash(&odds, 1, turns);
                still[side][i] = (side ? -1.0 : 1.0) * (found.rest + found.share * odds);
            }
    /* 3. The cells: the pair terms between the two changes, the widened zones, and the material's odds. */
    static Material kinds[MOST_CODES][MOST_CODES];
    int plain = 1;
    for (int i = 0; i < mine->kinds; i++)
        for (int j = 0; j < theirs->kinds; j++) {
            kinds[i][j] = seen_by(e, now + mine->codes[i] + theirs->codes[j], me, last);
            plain &= kinds[i][j].share == 1.0;
        }
    /* Most throws of one symbol make the same material and are put down, most steps too: those come first, and what
       differs is added for `special` columns. */
    int special[MOST_MOVES], many_special = 0, usual[4] = {0, 0, 0, 0}, a_symbol = theirs->throws / 3;
    for (int part = 0; part < 4; part++) {
        int first = part * a_symbol, end = part < 3 ? first + a_symbol : columns, often[MOST_CODES] = {0};
        for (int c = first; c < end; c++)
            if (++often[theirs->kind[c]] > often[usual[part]]) usual[part] = theirs->kind[c];
        for (int c = first; c < end; c++)
            if (theirs->enemy[c] || theirs->own[c] || !theirs->put_amount[c] || theirs->kind[c] != usual[part])
                special[many_special++] = c;
    }
    for (int r = 0; r < rows; r++) {
        double *cells = m->values + (i64)r * columns, odds[MOST_CODES];
        const double *put = e->pairs[mine->put[r]], *leave = e->pairs[mine->leave[r]], *hit = e->pairs[mine->hit[r]];
        const double with_put = mine->put_amount[r], with_hit = mine->own[r];
        if (r < mine->throws)
            for (int j = 0; j < INDICES; j++) row_gain[j] = put[j] * with_put;
        else
            for (int j = 0; j < INDICES; j++) row_gain[j] = put[j] * with_put - leave[j];
        if (mine->own[r])
            for (int j = 0; j < INDICES; j++) row_gain[j] += hit[j] * with_hit;
        for (int j = 0; j < theirs->kinds; j++) odds[j] = kinds[mine->kind[r]][j].odds;
        double here = row_change[r] + base, thrown = here + exposed[0] + row_wide[r];
        for (int part = 0; part < 3; part++) {
            const double *gains = row_gain + theirs->put[part * a_symbol], worth_all = thrown + odds[usual[part]];
            const double *change = column_change + part * a_symbol;
            double *to = cells + part * a_symbol;
            for (int c = 0; c < a_symbol; c++) to[c] = worth_all + change[c] + gains[c];
        }
        double step = here + odds[usual[3]];
        for (int c = theirs->throws; c < columns; c++)
            cells[c] = step + column_change[c] + row_gain[theirs->put[c]] - row_gain[theirs->leave[c]];
        for (int k = 0; k < many_special; k++) {
            int c = special[k], hit_by = theirs->hit[c], throws = c < theirs->throws;
            cells[c] = (throws ? thrown : here) + column_change[c] + row_gain[theirs->put[c]] * theirs->put_amount[c]
                     + odds[theirs->kind[c]] + row_gain[hit_by] * theirs->own[c];
            if (!throws) cells[c] -= row_gain[theirs->leave[c]];
            if (mine->enemy[r]) cells[c] += e->pairs[hit_by][mine->hit[r]] * theirs->enemy[c] * mine->enemy[r];
            if (throws) cells[c] += wide[0][hit_by] * theirs->enemy[c];
        }
        if (r < mine->throws) {
            double also = exposed[1] + enemies(mine, r, wide[1]);
            for (int c = 0; c < columns; c++) cells[c] += also + column_wide[c];
        }
    }
    /* 4. Where two moves meet, everything anew. */
    static short at_end[61][MOST_MOVES], at_left[61][MOST_MOVES];
    int ending[61] = {0}, leaving[61] = {0};
    for (int c = 0; c < columns; c++) {
        at_end[theirs->end[c]][ending[theirs->end[c]]++] = c;
        if (theirs->left[c] >= 0) at_left[theirs->left[c]][leaving[theirs->left[c]]++] = c;
    }
    static struct { int cell; double share, rest; } odd[MOST_MOVES * MOST_MOVES / 4];
    int odds = 0;
    for (int r = 0; r < rows; r++) {
        const short *lists[3] = {at_end[mine->end[r]], at_left[mine->end[r]], NULL};
        int lengths[3] = {ending[mine->end[r]], leaving[mine->end[r]], 0};
        if (mine->left[r] >= 0) lists[2] = at_end[mine->left[r]], lengths[2] = ending[mine->left[r]];
        for (int list = 0; list < 3; list++)
            for (int k = 0; k < lengths[list]; k++) {
                int c = lists[list][k], both[2] = {r, c};
                if (list == 2 && theirs->left[c] == mine->end[r]) continue;  /* they change places: seen above */
                Met met;
                meet(&met, position, me, m->side, both);
                double value = base + total(&met, 0, worth[0]) + total(&met, 1, worth[1]);
                for (int i = 0; i < met.many[0]; i++)
                    value += total(&met, 1, e->pairs[met.index[0][i]]) * met.amount[0][i];
                if (c < theirs->throws) value += exposed[0] + total(&met, 0, wide[0]);
                if (r < mine->throws) value += exposed[1] + total(&met, 1, wide[1]);
                i64 code = now;
                for (int side = 0; side < 2; side++) {
                    for (int i = 0; i < met.many[side]; i++)
                        code += met.amount[side][i] * (1ll << FIELD * (3 * (side ^ me) + met.index[side][i] / 61));
                    if (both[side] < m->side[side].throws) code += 1ll << FIELD * (6 + (side ^ me));
                }
                Material found = seen_by(e, code, me, last);
                m->values[r * columns + c] = value + found.odds;
                if (!plain || found.share != 1.0) {
                    odd[odds].cell = r * columns + c;
                    odd[odds].share = found.share, odd[odds++].rest = found.rest;
                }
            }
    }
    /* 5. From odds to results. */
    squash(m->values, rows * columns, turns);
    static double kept[MOST_MOVES * MOST_MOVES / 4];
    for (int k = 0; k < odds; k++) kept[k] = odd[k].rest + odd[k].share * m->values[odd[k].cell];
    if (!plain)
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
                Material *found = &kinds[mine->kind[r]][theirs->kind[c]];
                double *cell = m->values + r * columns + c;
                *cell = found->rest + found->share * *cell;
            }
    for (int k = 0; k < odds; k++) m->values[odd[k].cell] = kept[k];
}

/* --- equilibria --- */

/* Of so many rows and columns: its value; the mixes are written to `row` and `column`.  The simplex method of
   shared/matrix.py, pivot by pivot, but the loop that it never needed for what stalls. */
static double solve(const double *matrix, int rows, int columns, double *row, double *column) {
    static double table[(MOST_MOVES + 1) * (MOST_MOVES + 2)], entering[MOST_MOVES + 1];
    int left[MOST_MOVES], top[MOST_MOVES], wide = columns + 1;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < rows * columns; i++) {
        low = matrix[i] < low ? matrix[i] : low;
        high = matrix[i] > high ? matrix[i] : high;
    }
    double spread = high - low, scale = spread ? spread : 1.0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) table[r * wide + c] = (matrix[r * columns + c] - low) / scale + 1.0;
        table[r * wide + columns] = 1.0;
        left[r] = columns + r;
    }
    double *costs = table + rows * wide;
    for (int c = 0; c < columns; c++) costs[c] = -1.0, top[c] = c;
    costs[columns] = 0.0;
    double gained = 0.0;
    int stalled = 0;
    for (int step = 0; step < 100 * (rows + columns); step++) {
        int bland = stalled > rows + columns, enters = -1, leaves = -1;
        double steepest = bland ? 0.0 : INFINITY, soonest = INFINITY;
        for (int c = 0; c < columns; c++)
            if (bland ? costs[c] < -1e-11 && (enters < 0 || top[c] < top[enters]) : costs[c] < steepest)
                steepest = costs[c], enters = c;
        if (enters < 0 || costs[enters] >= -1e-11) break;
        for (int r = 0; r <= rows; r++) entering[r] = table[r * wide + enters];
        for (int r = 0; r < rows; r++)
            if (entering[r] > 1e-9) {
                double ratio = table[r * wide + columns] / entering[r];
                if (ratio < soonest || (bland && ratio == soonest && left[r] < left[leaves])) soonest = ratio, leaves = r;
            }
        if (leaves < 0) return NAN;
        double pivot = entering[leaves], *kept = table + leaves * wide;
        for (int c = 0; c <= columns; c++) kept[c] /= pivot;
        for (int r = 0; r <= rows; r++) {
            double times = entering[r], *to = table + r * wide;
            if (r == leaves) continue;
            for (int c = 0; c <= columns; c++) to[c] -= times * kept[c];
            to[enters] = times / -pivot;
        }
        kept[enters] = 1.0 / pivot;
        int label = left[leaves];
        left[leaves] = top[enters], top[enters] = label;
        stalled = costs[columns] > gained + 1e-13 ? 0 : stalled + 1;
        gained = costs[columns];
    }
    double sums[2] = {0.0, 0.0};
    memset(row, 0, rows * sizeof(double));
    memset(column, 0, columns * sizeof(double));
    for (int c = 0; c < columns; c++)
        if (top[c] >= columns && costs[c] > 0.0) row[top[c] - columns] = costs[c];
    for (int r = 0; r < rows; r++)
        if (left[r] < columns && table[r * wide + columns] > 0.0) column[left[r]] = table[r * wide + columns];
    for (int r = 0; r < rows; r++) sums[0] += row[r];
    for (int c = 0; c < columns; c++) sums[1] += column[c];
    for (int r = 0; r < rows; r++) row[r] /= sums[0];
    for (int c = 0; c < columns; c++) column[c] /= sums[1];
    double worst = INFINITY, most = -INFINITY;
    static double gains[MOST_MOVES];
    memset(gains, 0, columns * sizeof(double));
    for (int r = 0; r < rows; r++) {
        const double *cells = matrix + r * columns;
        double concedes = 0.0;
        if (row[r] > 0.0)
            for (int c = 0; c < columns; c++) gains[c] += row[r] * (cells[c] - low) / scale;
        for (int c = 0; c < columns; c++) concedes += column[c] > 0.0 ? column[c] * (cells[c] - low) / scale : 0.0;
        most = concedes > most ? concedes : most;
    }
    for (int c = 0; c < columns; c++) worst = gains[c] < worst ? gains[c] : worst;
    return low + (worst + most) / 2 * spread;
}

/* The answer to a matrix rounded to nine digits, as tree.Matrix.answer. */
double answer(const double *values, int rows, int columns, double *row, double *column) {
    static double rounded[MOST_MOVES * MOST_MOVES];
    for (int i = 0; i < rows * columns; i++) rounded[i] = rint(values[i] * 1e9) / 1e9;
    return solve(rounded, rows, columns, row, column);
}

/* --- stages further on --- */

static int finished(const Position *position) {
    int counts[6] = {0}, left[2] = {THROWS - position->thrown[0], THROWS - position->thrown[1]};
    for (int player = 0; player < 2; player++)
        for (int index = 0; index < INDICES; index++) counts[3 * player + index / 61] += position->number[player][index];
    return position->turn >= MAX_TURNS || decided(counts, counts + 3, left) >= 0.0;
}

static double value(Evaluation *e, const Position *position, int me, int stages, i64 *nodes, i64 most);

/* The cells not looked behind that are likeliest to come. */
static int carrying(const Matrix *m, const double *row, const double *column, int *cells) {
    double shares[MOST_CELLS + 1];
    int many = 0;
    for (int r = 0; r < m->rows; r++)
        for (int c = 0; row[r] >= CARRIES_BEHIND && c < m->columns; c++) {
            double share = row[r] * column[c];
            if (share < CARRIES_BEHIND || m->known[r * m->columns + c]) continue;
            int place = many;
            for (; place && shares[place - 1] < share; place--)
                if (place < MOST_CELLS) shares[place] = shares[place - 1], cells[place] = cells[place - 1];
            if (place < MOST_CELLS) shares[place] = share, cells[place] = r * m->columns + c;
            many = least(many + 1, MOST_CELLS);
        }
    return many;
}

static double refined(Evaluation *e, Matrix *m, const Position *position, int me, int stages, i64 *nodes, i64 most) {
    double row[MOST_MOVES], column[MOST_MOVES];
    int cells[MOST_CELLS];
    memset(m->known, 0, m->rows * m->columns);
    double found = answer(m->values, m->rows, m->columns, row, column);
    for (;;) {
        int many = carrying(m, row, column, cells);
        if (!many) return found;
        for (int k = 0; k < many; k++) {
            int r = cells[k] / m->columns, c = cells[k] % m->columns;
            int pair[2] = {me ? m->side[1].move[c] : m->side[0].move[r], me ? m->side[0].move[r] : m->side[1].move[c]};
            Position child = *position;
            m->known[cells[k]] = 1;
            play(&child, pair);
            if (finished(&child)) continue;
            double behind = value(e, &child, me, stages - 1, nodes, most);
            if (isnan(behind)) return behind;
            m->values[cells[k]] = behind;
        }
        found = answer(m->values, m->rows, m->columns, row, column);
    }
}

/* What an unfinished position is worth to the player with so many stages; NAN where the nodes are used up. */
static double value(Evaluation *e, const Position *position, int me, int stages, i64 *nodes, i64 most) {
    static double rooms[2][MOST_MOVES], *kept = NULL;
    if (*nodes >= most) return NAN;
    ++*nodes;
    Matrix *m = malloc(sizeof(Matrix));
    list_moves(m->side, position, me);
    list_moves(m->side + 1, position, 1 - me);
    m->rows = m->side[0].many, m->columns = m->side[1].many;
    double found;
    if (stages == 1) {
        if (!kept) kept = malloc(sizeof(Room));
        m->values = kept;
        fill(m, e, position, me, NULL);
        found = answer(kept, m->rows, m->columns, rooms[0], rooms[1]);
    } else {
        m->values = malloc(m->rows * m->columns * sizeof(double));
        m->known = malloc(m->rows * m->columns);
        fill(m, e, position, me, NULL);
        found = NAN;
        for (int more = 2; more <= stages; more++) {
            found = refined(e, m, position, me, more, nodes, most);
            if (isnan(found)) break;
        }
        free(m->values);
        free(m->known);
    }
    free(m);
    return found;
}

/* --- what engine.py asks for --- */

/* Lists the moves of both: `matrix` keeps them; `many` gets how many there are. */
void *matrix_new(const Position *position, int me, int *many) {
    Matrix *m = malloc(sizeof(Matrix));
    for (int side = 0; side < 2; side++) {
        list_moves(m->side + side, position, side ^ me);
        many[side] = m->side[side].many;
    }
    m->rows = many[0], m->columns = many[1];
    m->known = NULL;
    return m;
}

void matrix_free(void *matrix) { free(matrix); }

/* Seven rows a player: move, end, left, symbol, put_amount, own_amount, enemy_amount. */
void matrix_changes(const Matrix *m, i64 **out) {
    for (int side = 0; side < 2; side++) {
        const Side *of = m->side + side;
        const int *rows[7] = {of->move, of->end, of->left, of->symbol, of->put_amount, of->own, of->enemy};
        for (int row = 0; row < 7; row++)
            for (int i = 0; i < of->many; i++) out[side][row * of->many + i] = rows[row][i];
    }
}

void matrix_fill(Matrix *m, Evaluation *e, const Position *position, int me, double *values, double **still) {
    m->values = values;
    fill(m, e, position, me, still);
}

/* The cells of two steps that lead to one of the states that have been there; how many. */
int matrix_seen(const Matrix *m, const Position *position, int me, const i64 *seen, int many, int *cells, i64 *keys) {
    int found = 0;
    u64 now = 0, some = 0;
    for (int k = 0; k < many; k++) some |= 1ull << (seen[k] & 63);
    for (int player = 0; player < 2; player++)
        for (int index = 0; index < INDICES; index++) now += (u64)KEYS[player][index] * position->number[player][index];
    for (int r = m->side[0].throws; r < m->rows; r++)
        for (int c = m->side[1].throws; c < m->columns; c++) {
            int both[2] = {r, c};
            const Side *mine = m->side, *theirs = m->side + 1;
            u64 key = now;
            if (mine->end[r] == theirs->end[c] || mine->end[r] == theirs->left[c] || mine->left[r] == theirs->end[c]) {
                Met met;
                meet(&met, position, me, m->side, both);
                for (int side = 0; side < 2; side++)
                    for (int i = 0; i < met.many[side]; i++)
                        key += (u64)KEYS[side ^ me][met.index[side][i]] * (u64)(i64)met.amount[side][i];
            } else
                for (int side = 0; side < 2; side++) {
                    const Side *of = m->side + side;
                    int which = both[side];
                    const i64 *numbers = KEYS[side ^ me], *others = KEYS[1 - (side ^ me)];
                    key += (u64)numbers[of->put[which]] * of->put_amount[which] - (u64)numbers[of->leave[which]];
                    key += (u64)numbers[of->hit[which]] * (u64)(i64)of->own[which];
                    key += (u64)others[of->hit[which]] * (u64)(i64)of->enemy[which];
                }
            if (some >> (key & 63) & 1)
                for (int k = 0; k < many; k++)
                    if ((u64)seen[k] == key) {
                        cells[found] = r * m->columns + c;
                        keys[found++] = seen[k];
                        break;
                    }
        }
    return found;
}

double value_of(Evaluation *e, const Position *position, int me, int stages, i64 *nodes, i64 most) {
    return value(e, position, me, stages, nodes, most);
}

/* The position after a pair of moves, player 0's first; whether that ends the game. */
int after(const Position *position, int upper, int lower, Position *then) {
    int pair[2] = {upper, lower};
    *then = *position;
    play(then, pair);
    return finished(then);
}
