/* Opponents of the agent, and what it needs to be judged by hundreds of games: see engine.py.

   All numbers of the game (masks, twists, weights) come from the Python modules; this file only adds
   them up faster.  A board is eight quadrants of nine bits, the mover's four first; a move is 36 x twist
   + the cell on which the stone stands after the twist, as in position.py.

   Lanes: the two masks of a group are of one kind, so their states under all eight twists are sixteen
   numbers that one table of sixteen weights is looked up for at once. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 36, TWISTS = 8, MOVES = 288, LAST = 35, LANES = 16, BOTH = 11 };
#define UNSAFE (-65536.0f)
#define LOST (UNSAFE / 2)
#define ILLEGAL (-1e7f)
#define TAKEN (ILLEGAL / 2)
#define WIN 1000000.0f
#define DECIDED (WIN - 100)
#define INFINITE (2 * WIN)

typedef float v16f __attribute__((vector_size(64)));
typedef int32_t v16i __attribute__((vector_size(64)));
typedef uint8_t v16b __attribute__((vector_size(16)));
typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8i __attribute__((vector_size(32)));

typedef struct { uint16_t q[8]; } Board;

typedef struct {
    int groups, places_at_once, half_turns;
    uint8_t *rows[4];              /* [512][16 x groups]: stones of a quadrant in each lane's mask */
    v16f *value[CELLS], *gain[CELLS];
    uint8_t (*cells)[2][5];        /* of a group's masks, after the twist; 36 where there is none */
    uint8_t *plain;                /* whether a group's masks are windows; those groups come first */
    uint8_t *untouched;            /* [2 x groups]: twists that leave a window where it is */
    float optimism[CELLS];
    uint16_t turned[2][512];
    uint8_t source[TWISTS][CELLS];
    uint8_t illegal[4][512][9];    /* twists after which a cell is taken */
    v8f penalty[256];
    int order[MOVES];              /* moves as the course's server lists them */
    uint64_t half[4][512];         /* a quadrant's part of a board turned by half a turn, as a key */
} Kernel;

typedef struct {                   /* a position's moves */
    Board board;
    int stones;
    uint8_t state[64 * 4 * LANES];
    float score[MOVES];
    int drawn[MOVES], draws;
} Node;

static int count_bits(unsigned bits) { return __builtin_popcount(bits); }

int stones_of(const Board *board) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += count_bits(board->q[i]);
    return sum;
}

static uint64_t mixed(uint64_t x) {
    x ^= x >> 31; x *= 0x7fb5d329728ea185ull; x ^= x >> 27; x *= 0x81dadef4bc2dd44dull; x ^= x >> 33;
    return x;
}

static uint64_t key_of(const Board *board) {
    uint64_t low, high;
    memcpy(&low, board->q, 8); memcpy(&high, board->q + 4, 8);
    return mixed(low * 0x9e3779b97f4a7c15ull + mixed(high));
}

/* --- the kernel: kernel.py's numbers --- */

void *kernel_new(int groups, const uint16_t *columns, const uint8_t *cells, const uint8_t *plain,
                 const uint8_t *untouched, const uint16_t *turned, const uint8_t *source, const int *order,
                 int places_at_once, int half_turns) {
    Kernel *kernel = aligned_alloc(64, (sizeof *kernel + 63) / 64 * 64);
    memset(kernel, 0, sizeof *kernel);
    int width = LANES * groups;
    kernel->groups = groups;
    kernel->places_at_once = places_at_once;
    kernel->half_turns = half_turns;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        kernel->rows[quadrant] = aligned_alloc(64, 512 * width);
        for (int bits = 0; bits < 512; bits++)
            for (int i = 0; i < width; i++)
                kernel->rows[quadrant][bits * width + i] = count_bits(bits & columns[4 * i + quadrant]);
    }
    kernel->cells = malloc(10 * groups);
    memcpy(kernel->cells, cells, 10 * groups);
    kernel->plain = malloc(groups);
    memcpy(kernel->plain, plain, groups);
    kernel->untouched = malloc(2 * groups);
    memcpy(kernel->untouched, untouched, 2 * groups);
    memcpy(kernel->turned, turned, sizeof kernel->turned);
    memcpy(kernel->source, source, sizeof kernel->source);
    memcpy(kernel->order, order, sizeof kernel->order);
    for (int stones = 0; stones < CELLS; stones++) {
        kernel->value[stones] = aligned_alloc(64, groups * sizeof(v16f));
        kernel->gain[stones] = aligned_alloc(64, groups * sizeof(v16f));
    }
    for (int quadrant = 0; quadrant < 4; quadrant++)
        for (int bits = 0; bits < 512; bits++)
            for (int place = 0; place < 9; place++)
                for (int twist = 0; twist < TWISTS; twist++) {
                    int after = twist / 2 == quadrant ? kernel->turned[twist % 2][bits] : bits;
                    kernel->illegal[quadrant][bits][place] |= (after >> place & 1) << twist;
                }
    for (int set = 0; set < 256; set++)
        for (int twist = 0; twist < TWISTS; twist++)
            kernel->penalty[set][twist] = set >> twist & 1 ? ILLEGAL : 0;
    for (int quadrant = 0; quadrant < 4; quadrant++)
        for (int bits = 0; bits < 512; bits++) {
            int turned_bits = 0;
            for (int place = 0; place < 9; place++) turned_bits |= (bits >> place & 1) << (8 - place);
            kernel->half[3 - quadrant][bits] = turned_bits;
        }
    return kernel;
}

/* The weights of boards with so many stones, sixteen states of each group. */
void kernel_weigh(Kernel *kernel, int stones, const float *value, const float *gain, float optimism) {
    memcpy(kernel->value[stones], value, kernel->groups * sizeof(v16f));
    memcpy(kernel->gain[stones], gain, kernel->groups * sizeof(v16f));
    kernel->optimism[stones] = optimism;
}

static void states_of(const Kernel *kernel, const Board *board, uint8_t *restrict state) {
    int width = LANES * kernel->groups;
    const uint8_t *row[8];
    for (int i = 0; i < 8; i++) row[i] = kernel->rows[i & 3] + board->q[i] * width;
    for (int i = 0; i < width; i++) {
        uint8_t mine = row[0][i] + row[1][i] + row[2][i] + row[3][i];
        uint8_t theirs = row[4][i] + row[5][i] + row[6][i] + row[7][i];
        state[i] = theirs == 0 ? mine : mine == 0 ? 5 + theirs : BOTH;
    }
}

static v16b lanes_of(const uint8_t *state) {
    v16b bytes;
    memcpy(&bytes, state, sizeof bytes);
    return bytes;
}

static v16i lanes(const uint8_t *state) {
    return __builtin_convertvector(lanes_of(state), v16i);
}

/* What a stone on each cell gains under each twist, and the value of each twist without it. */
static v8f judge_cells(const Kernel *kernel, const uint8_t *state, int stones, v8f *cell) {
    v16f base = {0};
    memset(cell, 0, (CELLS + 1) * sizeof *cell);
    for (int group = 0; group < kernel->groups; group++) {
        v16i lane = lanes(state + LANES * group);
        v16f worth = __builtin_shuffle(kernel->gain[stones][group], lane);
        base += __builtin_shuffle(kernel->value[stones][group], lane);
        v8f half[2];
        memcpy(half, &worth, sizeof half);
        for (int i = 0; i < 5; i++) {
            cell[kernel->cells[group][0][i]] += half[0];
            cell[kernel->cells[group][1][i]] += half[1];
        }
    }
    v8f halves[2];
    memcpy(halves, &base, sizeof halves);
    return halves[0] + halves[1] - kernel->optimism[stones];
}

static void judge(const Kernel *kernel, const Board *board, const uint8_t *state, int stones, float *score) {
    v8f cell[CELLS + 1], base = judge_cells(kernel, state, stones, cell);
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        const uint8_t *illegal = kernel->illegal[quadrant][board->q[quadrant] | board->q[quadrant + 4]];
        for (int place = 0; place < 9; place++) {
            int number = 9 * quadrant + place;
            v8f sum = base + cell[number] + kernel->penalty[illegal[place]];
            for (int twist = 0; twist < TWISTS; twist++) score[CELLS * twist + number] = sum[twist];
        }
    }
}

static float best_score(const Kernel *kernel, const Board *board, const uint8_t *state, int stones) {
    v8f cell[CELLS + 1], base = judge_cells(kernel, state, stones, cell), best = base + ILLEGAL * 8;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        const uint8_t *illegal = kernel->illegal[quadrant][board->q[quadrant] | board->q[quadrant + 4]];
        for (int place = 0; place < 9; place++) {
            v8f sum = base + cell[9 * quadrant + place] + kernel->penalty[illegal[place]];
            v8i more = sum > best;
            best = (v8f)((more & (v8i)sum) | (~more & (v8i)best));
        }
    }
    float top = best[0];
    for (int twist = 1; twist < TWISTS; twist++) top = best[twist] > top ? best[twist] : top;
    return top;
}

/* In classic a five by the stone alone ends the game: callers have looked for wins before. */
static void child_of(const Kernel *kernel, const Board *board, int move, Board *child) {
    int twist = move / CELLS, number = move % CELLS;
    for (int i = 0; i < 4; i++) {
        child->q[i] = board->q[i + 4];
        child->q[i + 4] = board->q[i];
    }
    int turned = twist / 2;
    child->q[turned] = kernel->turned[twist % 2][child->q[turned]];
    child->q[turned + 4] = kernel->turned[twist % 2][child->q[turned + 4]];
    child->q[number / 9 + 4] |= 1 << number % 9;
}

static int occupied_after(const Kernel *kernel, const Board *board, int move) {
    int number = move % CELLS, quadrant = number / 9;
    return kernel->illegal[quadrant][board->q[quadrant] | board->q[quadrant + 4]][number % 9] >> move / CELLS & 1;
}

/* A bit for each twist of which a lane is not 0. */
static int twists_of(v16b lanes) {
    int found = 0;
    for (int i = 0; i < LANES; i++) found |= (lanes[i] != 0) << i % TWISTS;
    return found;
}

/* Twists after which the mover has four or five in a window, and those after which the other has five. */
static int fours_of(const Kernel *kernel, const uint8_t *state, int *fives) {
    v16b four = {0}, five = {0};
    for (int group = 0; group < kernel->groups && kernel->plain[group]; group++) {
        v16b at = lanes_of(state + LANES * group);
        four |= (v16b)(at == 4) | (v16b)(at == 5);
        five |= (v16b)(at == 10);
    }
    *fives = twists_of(five);
    return twists_of(four);
}

/* Bits of the twists with which the mover wins at once. */
static int wins(const Kernel *kernel, const uint8_t *state) {
    int fives, fours = fours_of(kernel, state, &fives);
    if (kernel->places_at_once && fours)
        for (int group = 0; group < kernel->groups && kernel->plain[group]; group++)
            for (int i = 0; i < LANES; i++) {
                int at = state[LANES * group + i];
                if ((at == 4 || at == 5) && kernel->untouched[2 * group + i / TWISTS] >> i % TWISTS & 1) return 255;
            }
    return fours & ~fives;
}

/* Whether a move makes five in a window. */
static int completes(const Kernel *kernel, const uint8_t *state, int move, int untouched_only) {
    int twist = move / CELLS, number = move % CELLS;
    for (int group = 0; group < kernel->groups && kernel->plain[group]; group++) {
        for (int which = 0; which < 2; which++) {
            int at = state[LANES * group + TWISTS * which + twist];
            if (at != 4 && at != 5) continue;
            if (untouched_only && !(kernel->untouched[2 * group + which] >> twist & 1)) continue;
            if (at == 5) return 1;
            for (int i = 0; i < 5; i++)
                if (kernel->cells[group][which][i] == number) return 1;
        }
    }
    return 0;
}

/* A move that wins at once, or -1. */
static int winning_move(const Kernel *kernel, const Board *board, const uint8_t *state) {
    int twists = wins(kernel, state), fives = 0;
    if (!twists) return -1;
    for (int group = 0; group < kernel->groups; group++)
        for (int i = 0; kernel->plain[group] && i < LANES; i++)
            fives |= (state[LANES * group + i] == 10) << i % TWISTS;
    for (int move = 0; move < MOVES; move++) {
        int twist = move / CELLS;
        if (!(twists >> twist & 1) || occupied_after(kernel, board, move)) continue;
        if (completes(kernel, state, move, fives >> twist & 1)) return move;
    }
    return -1;
}

/* Where both colours come near a five: moves that draw at once, and unsafe ones that are none. */
static void settle(const Kernel *kernel, Node *node) {
    v16b mine = {0}, theirs = {0};
    int fives, unsafe = 0;
    node->draws = 0;
    for (int group = 0; group < kernel->groups; group++) {
        v16b at = lanes_of(node->state + LANES * group);
        mine |= (v16b)(at == 4) | (v16b)(at == 5);
        theirs |= (v16b)(at == 9) | (v16b)(at == 10);
    }
    if (!twists_of(mine) || !twists_of(theirs)) return;
    int fours = fours_of(kernel, node->state, &fives);
    for (int move = 0; move < MOVES; move++) unsafe |= (node->score[move] > TAKEN) & (node->score[move] < LOST);
    if (!unsafe && !(fours & fives)) return;
    uint64_t in_window[TWISTS] = {0}, in_mask[TWISTS] = {0};   /* cells on which a stone completes one */
    for (int group = 0; group < kernel->groups; group++) {
        v16b at = lanes_of(node->state + LANES * group);
        at &= (v16b)(at == 4) | (v16b)(at == 5);
        uint64_t halves[2];
        memcpy(halves, &at, sizeof halves);
        for (int i = 0; i < LANES; i++) {
            if (!halves[i / TWISTS]) { i |= TWISTS - 1; continue; }
            if (!at[i]) continue;
            uint64_t cells = at[i] == 5 ? ~0ull : 0;
            for (int j = 0; j < 5; j++) cells |= 1ull << kernel->cells[group][i / TWISTS][j];
            in_mask[i % TWISTS] |= cells;
            if (kernel->plain[group]) in_window[i % TWISTS] |= cells;
        }
    }
    for (int move = 0; move < MOVES; move++) {
        int twist = move / CELLS;
        float score = node->score[move];
        if (score < TAKEN || !(in_mask[twist] >> move % CELLS & 1)) continue;
        if (fours & fives & 1 << twist && in_window[twist] >> move % CELLS & 1) {
            node->score[move] = 0;
            node->drawn[node->draws++] = move;
        } else if (score < LOST && node->stones < LAST && !(fives >> twist & 1)) {
            Board child;
            uint8_t state[sizeof node->state];
            child_of(kernel, &node->board, move, &child);
            states_of(kernel, &child, state);
            if (!wins(kernel, state)) node->score[move] = score - UNSAFE * rintf(score / UNSAFE);
        }
    }
}

static void look_at(const Kernel *kernel, const Board *board, int stones, Node *node) {
    node->board = *board;
    node->stones = stones;
    states_of(kernel, board, node->state);
    judge(kernel, board, node->state, stones, node->score);
    settle(kernel, node);
}

static float defeat(int stones) {
    int over = stones + 2 < LAST + 1 ? stones + 2 : LAST + 1;
    return -(WIN - over);
}

/* For tests: a position's 288 scores, settled; answers the winning twists. */
int judged(const Kernel *kernel, const uint16_t *board, float *score) {
    Node node;
    Board at;
    memcpy(at.q, board, sizeof at.q);
    look_at(kernel, &at, stones_of(&at), &node);
    memcpy(score, node.score, sizeof node.score);
    return wins(kernel, node.state);
}

void child(const Kernel *kernel, const uint16_t *board, int move, uint16_t *after) {
    child_of(kernel, (const Board *)board, move, (Board *)after);
}

/* --- fixed depth: all distinct children, the best static score first, alpha-beta over the whole width --- */

typedef struct {
    const Kernel *kernel;
    long nodes;
    int best;
} Fixed;

/* Equal for boards that are each other's half turn, where that is a symmetry of the game. */
static uint64_t symmetric_key(const Kernel *kernel, const Board *board) {
    Board half;
    for (int i = 0; i < 4; i++) {
        half.q[3 - i] = kernel->half[3 - i][board->q[i]];
        half.q[7 - i] = kernel->half[3 - i][board->q[i + 4]];
    }
    uint64_t key = key_of(board), other = key_of(&half);
    return kernel->half_turns && other < key ? other : key;
}

/* The moves that do not lose at once, one for each board, best first and ties as the server lists them. */
static int sorted(const Kernel *kernel, const Node *node, float least, int *moves) {
    struct { float score; int move; } found[MOVES];
    uint64_t keys[512] = {0};
    int count = 0;
    for (int i = 0; i < MOVES; i++) {
        int move = kernel->order[i];
        if (!(node->score[move] > least)) continue;
        Board after;
        child_of(kernel, &node->board, move, &after);
        uint64_t key = symmetric_key(kernel, &after) | 1;
        int slot = key >> 55;
        while (keys[slot] && keys[slot] != key) slot = (slot + 1) & 511;
        if (keys[slot]) continue;
        keys[slot] = key;
        int place = count++;
        for (; place && found[place - 1].score < node->score[move]; place--) found[place] = found[place - 1];
        found[place].score = node->score[move];
        found[place].move = move;
    }
    for (int i = 0; i < count; i++) moves[i] = found[i].move;
    return count;
}

static float fixed_value(Fixed *fixed, const Board *board, int stones, int depth, float alpha, float beta, int root) {
    const Kernel *kernel = fixed->kernel;
    Node node;
    int moves[MOVES], count;
    fixed->nodes++;
    if (depth == 1 && !root) {
        states_of(kernel, board, node.state);
        float best = best_score(kernel, board, node.state, stones);
        if (best > LOST) return best;
    }
    look_at(kernel, board, stones, &node);
    float best = node.draws ? 0 : -INFINITE;
    if (root && node.draws) fixed->best = node.drawn[0];
    for (int i = 0; i < node.draws; i++) node.score[node.drawn[i]] = ILLEGAL;
    count = sorted(kernel, &node, LOST, moves);
    if (!count) return node.draws ? 0 : defeat(stones);
    for (int i = 0; i < count && best < beta; i++) {
        float value;
        if (depth == 1) value = node.score[moves[i]];
        else if (stones + 1 == CELLS) value = 0;
        else {
            Board after;
            child_of(kernel, board, moves[i], &after);
            float lower = alpha > best ? alpha : best;
            value = -fixed_value(fixed, &after, stones + 1, depth - 1, -beta, -lower, 0);
        }
        if (value > best) {
            best = value;
            if (root) fixed->best = moves[i];
        }
    }
    return best;
}

static int any_move(const Kernel *kernel, const Node *node) {
    int best = -1;
    for (int i = 0; i < MOVES; i++) {
        int move = kernel->order[i];
        if (node->score[move] > TAKEN && (best < 0 || node->score[move] > node->score[best])) best = move;
    }
    return best;
}

/* The move of the partner with a fixed depth.  A first pass of fewer nodes than `quick_nodes`, or less CPU time
   than `quick_seconds`, is followed by one a ply deeper.  `figures`: nodes, depth, score. */
int fixed_move(const Kernel *kernel, const uint16_t *board, int depth, long quick_nodes, double quick_seconds,
               double *figures) {
    Board at;
    Node node;
    memcpy(at.q, board, sizeof at.q);
    int stones = stones_of(&at), move;
    look_at(kernel, &at, stones, &node);
    figures[0] = figures[1] = 1;
    figures[2] = WIN - stones - 1;
    if ((move = winning_move(kernel, &at, node.state)) >= 0) return move;
    Fixed fixed = {kernel, 0, any_move(kernel, &node)};
    int most = CELLS - stones;
    clock_t began = clock();
    figures[1] = depth < most ? depth : most;
    figures[2] = fixed_value(&fixed, &at, stones, figures[1], -INFINITE, INFINITE, 1);
    double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    if ((fixed.nodes < quick_nodes || took < quick_seconds) && figures[1] < most && figures[2] > -DECIDED
        && figures[2] < DECIDED) {
        figures[1]++;
        figures[2] = fixed_value(&fixed, &at, stones, figures[1], -INFINITE, INFINITE, 1);
    }
    figures[0] = fixed.nodes;
    return fixed.best;
}

/* --- UCT: playouts that follow the lines --- */

enum { BRANCHES = 40, PICKED = 4 };

typedef struct {
    Board board;
    int stones, first, branches, move;
    float prior, sum;
    int visits;
} Branch;

static uint64_t lot(uint64_t *seed) {
    *seed ^= *seed << 13; *seed ^= *seed >> 7; *seed ^= *seed << 17;
    return *seed * 0x2545f4914f6cdd1dull;
}

/* The result of a playout for the mover: 1, 0.5 or 0.  Each move is one of the best few by its lines. */
static float playout(const Kernel *kernel, Board board, int stones, uint64_t *seed) {
    for (int mine = 1; ; mine = !mine, stones++) {
        Node node;
        if (stones == CELLS) return 0.5f;
        look_at(kernel, &board, stones, &node);
        if (wins(kernel, node.state)) return mine;
        int best[PICKED], count = 0;
        for (int move = 0; move < MOVES; move++) {
            if (!(node.score[move] > LOST)) continue;
            int place = count < PICKED ? count++ : PICKED;
            for (; place && node.score[best[place - 1]] < node.score[move]; place--)
                if (place < PICKED) best[place] = best[place - 1];
            if (place < PICKED) best[place] = move;
        }
        if (!count) return node.draws ? 0.5f : !mine;
        int which = 0;
        for (uint64_t bits = lot(seed) >> 40; which < count - 1 && bits & 1; bits >>= 1) which++;
        Board after;
        child_of(kernel, &board, best[which], &after);
        board = after;
    }
}

int uct_move(const Kernel *kernel, const uint16_t *board, int playouts, float explore, float bias, uint64_t seed,
             double *figures) {
    Node node;
    Branch *tree = malloc(((size_t)playouts / 2 + 2) * BRANCHES * sizeof *tree);
    int used = 1, moves[MOVES], path[CELLS + 2];
    seed = mixed(seed + 1) | 1;
    memset(tree, 0, sizeof *tree);
    memcpy(tree->board.q, board, 16);
    tree->stones = stones_of(&tree->board);
    tree->branches = -1;
    look_at(kernel, &tree->board, tree->stones, &node);
    int move = winning_move(kernel, &tree->board, node.state);
    figures[0] = playouts; figures[1] = 1; figures[2] = 0;
    for (int number = 0; move < 0 && number < playouts; number++) {
        int at = 0, length = 0;
        float result = -1;                       /* of the one who moved into the last branch of the path */
        path[length++] = 0;
        for (;;) {
            Branch *here = tree + at;
            if (here->branches < 0 && (here->visits > 0 || at == 0)) {
                here->branches = 0;
                if (here->stones < CELLS) {
                    look_at(kernel, &here->board, here->stones, &node);
                    if (!wins(kernel, node.state)) {
                        int count = sorted(kernel, &node, LOST, moves);
                        float top = count ? node.score[moves[0]] : 0;
                        here->first = used;
                        here->branches = count < BRANCHES ? count : BRANCHES;
                        for (int i = 0; i < here->branches; i++) {
                            Branch *branch = tree + used++;
                            memset(branch, 0, sizeof *branch);
                            child_of(kernel, &here->board, moves[i], &branch->board);
                            branch->stones = here->stones + 1;
                            branch->branches = -1;
                            branch->move = moves[i];
                            branch->prior = expf((node.score[moves[i]] - top) / 30);
                        }
                    }
                }
            }
            if (here->branches <= 0) {
                result = 1 - playout(kernel, here->board, here->stones, &seed);
                break;
            }
            float best = -1;
            int chosen = here->first;
            for (int i = here->first; i < here->first + here->branches; i++) {
                Branch *branch = tree + i;
                float mean = branch->visits ? branch->sum / branch->visits : 0.5f;
                float worth = mean + explore * sqrtf(logf(here->visits + 1) / (branch->visits + 1))
                              + bias * branch->prior / (branch->visits + 1);
                if (worth > best) { best = worth; chosen = i; }
            }
            path[length++] = at = chosen;
        }
        for (int i = length - 1; i >= 0; i--) {
            tree[path[i]].visits++;
            tree[path[i]].sum += result;
            result = 1 - result;
        }
    }
    if (move < 0) {
        int best = -1;
        for (int i = tree->first; i < tree->first + (tree->branches > 0 ? tree->branches : 0); i++)
            if (best < 0 || tree[i].visits > tree[best].visits) best = i;
        move = best < 0 ? any_move(kernel, &node) : tree[best].move;
        if (best >= 0) figures[2] = tree[best].sum / tree[best].visits;
    }
    free(tree);
    return move;
}

/* --- the published approach: yardstick.py's, move for move --- */

enum { LINES = 48, LEADS = 1 << 20 };

typedef struct { uint64_t key; int32_t score; int16_t depth, move; } Known;
typedef struct {
    int lines, at_once, left;
    const int32_t *values;                        /* [lines][729] */
    const uint8_t *fives;                         /* [2][lines][729] */
    uint16_t part[CELLS][LINES];                  /* a cell's power in each line */
    uint8_t before[TWISTS][CELLS];
    Known *known;
} Published;

static int published_score(const Published *told, const uint8_t *cells, int *ended) {
    uint16_t code[LINES] = {0};
    int score = 0, mine = 0, theirs = 0, full = 1;
    for (int number = 0; number < CELLS; number++) {
        uint16_t stone = cells[number];
        if (stone) for (int i = 0; i < LINES; i++) code[i] += stone * told->part[number][i];
        else full = 0;
    }
    for (int i = 0; i < told->lines; i++) {
        score += told->values[729 * i + code[i]];
        mine |= told->fives[729 * i + code[i]];
        theirs |= told->fives[729 * (told->lines + i) + code[i]];
    }
    static const int centres[4] = {7, 10, 25, 28};
    for (int i = 0; i < 4; i++) score += 50 * (cells[centres[i]] == 1);
    *ended = mine || theirs || full;
    if (mine && theirs) return 0;
    if (mine || theirs) return mine ? 10000000 : -10000000;
    return full ? 0 : score;
}

static int has_placed_five(const Published *told, const uint8_t *cells, int stone) {
    uint16_t code[LINES] = {0};
    for (int number = 0; number < CELLS; number++)
        for (int i = 0; i < LINES; i++) code[i] += cells[number] * told->part[number][i];
    for (int i = 0; i < told->lines; i++)
        if (told->fives[729 * ((stone - 1) * told->lines + i) + code[i]]) return 1;
    return 0;
}

/* Answers 0 when the budget is used up. */
static int published_search(Published *told, const uint8_t *cells, int depth, int alpha, int beta, int stone,
                            int *score, int *move) {
    uint64_t key = stone;
    for (int i = 0; i < CELLS; i += 6) {
        uint64_t part = 0;
        for (int j = 0; j < 6; j++) part = 3 * part + cells[i + j];
        key = mixed(key * 1000003 + part + 1);
    }
    Known *known = told->known + (key & (LEADS - 1));
    if (known->key == key && known->depth >= depth) {
        *score = known->score; *move = known->move;
        return 1;
    }
    int low = alpha, high = beta, best = 0, chosen = -1;
    for (int number = 0; number < CELLS; number++) {
        if (cells[number]) continue;
        uint8_t placed[CELLS], board[CELLS];
        memcpy(placed, cells, CELLS);
        placed[number] = stone;
        int over = told->at_once && has_placed_five(told, placed, stone);
        for (int twist = 0; twist < TWISTS; twist++) {
            int ended, value, ignored;
            for (int i = 0; i < CELLS; i++) board[i] = placed[over ? i : told->before[twist][i]];
            if (told->left-- <= 0) return 0;
            value = published_score(told, board, &ended);
            if (depth > 1 && !ended
                && !published_search(told, board, depth - 1, alpha, beta, 3 - stone, &value, &ignored)) return 0;
            if (chosen < 0 || (stone == 1 ? value > best : value < best)) {
                best = value;
                chosen = 8 * number + twist;
            }
            if (stone == 1 && best > alpha) alpha = best;
            if (stone == 2 && best < beta) beta = best;
            if (alpha >= beta) goto done;
        }
    }
done:
    if (low < best && best < high) *known = (Known){key, best, depth, chosen};
    *score = best; *move = chosen;
    return 1;
}

/* Cells row by row, 1 where the player's own stones are; a move is 8 x cell + twist. */
int published_move(const uint8_t *cells, int lines, const int32_t *values, const uint8_t *fives, const int32_t *powers,
                   const uint8_t *before, int at_once, int nodes, double *figures) {
    Published told = {.lines = lines, .at_once = at_once, .left = nodes, .values = values, .fives = fives};
    for (int number = 0; number < CELLS; number++)
        for (int i = 0; i < lines; i++) told.part[number][i] = powers[lines * number + i];
    memcpy(told.before, before, sizeof told.before);
    told.known = calloc(LEADS, sizeof *told.known);
    int best = -1, score = 0, move, empty = 0;
    for (int number = CELLS - 1; number >= 0; number--)
        if (!cells[number]) { empty++; best = 8 * number; }
    figures[1] = 0;
    for (int depth = 1; depth <= empty; depth++) {
        if (!published_search(&told, cells, depth, -100000000, 100000000, 1, &score, &move)) break;
        best = move;
        figures[1] = depth;
        figures[2] = score;
        if (abs(score) >= 10000000) break;
    }
    figures[0] = nodes - (told.left > 0 ? told.left : 0);
    free(told.known);
    return best;
}

/* --- the agent's own search: tree.py, threats.py and leaves.py, in the same order --- */

enum { EXACT, LOWER, UPPER, SURE = 1000, PLIES = 40, KIDS = 288 };
enum { DEEPEST_LIMIT = 7, MOST_THREATS = 8, FIRST_ANSWERS = 3 };

/* The attributes of a Tree, and the margin of the lots; engine.py's SETTINGS has the same order. */
typedef struct {
    double mine[8], theirs[8], root[8], replies[3];
    double first_look, late, slack, veto_nodes, attack_nodes, margin, glance, tried;
} Settings;

typedef struct { uint64_t key; float value; int16_t move, depth; uint8_t bound; } Entry;
typedef struct { uint64_t key; int16_t won, move, tried; } Fight;
typedef struct { Board board; int stones, draws; int16_t drawn[16]; float score[MOVES]; } Small;

typedef struct {
    const Kernel *kernel, *plain;
    Settings set;
    int bits;                                   /* of the number of leaves; the other tables are smaller */
    uint64_t *leaf_keys;
    float *leaf_values;
    Entry *table;
    Fight *fights;
    long nodes, most, fought, threat_end;
    int length, out;                            /* of a win by threats; whether the budget is used up */
    int best;
    float best_score;
    float raised[MOVES];
    uint64_t seed;
    Small *arena[PLIES];
} Tree;

void *tree_new(const Kernel *leaning, const Kernel *plain, const double *settings, int bits) {
    Tree *tree = calloc(1, sizeof *tree);
    tree->kernel = leaning;
    tree->plain = plain;
    tree->bits = bits;
    memcpy(&tree->set, settings, sizeof tree->set);
    tree->leaf_keys = calloc(1 << bits, 8);
    tree->leaf_values = calloc(1 << bits, 4);
    tree->table = calloc(1 << (bits - 2), sizeof *tree->table);
    tree->fights = calloc(1 << (bits - 3), sizeof *tree->fights);
    return tree;
}

void tree_free(Tree *tree) {
    for (int i = 0; i < PLIES; i++) free(tree->arena[i]);
    free(tree->leaf_keys); free(tree->leaf_values); free(tree->table); free(tree->fights); free(tree);
}

static void counted(Tree *tree, long nodes) {
    tree->nodes += nodes;
    if (tree->nodes > tree->most) tree->out = 1;
}

static void small_of(const Kernel *kernel, const Board *board, int stones, Small *small) {
    Node node;
    look_at(kernel, board, stones, &node);
    small->board = *board;
    small->stones = stones;
    small->draws = node.draws < 16 ? node.draws : 16;
    for (int i = 0; i < small->draws; i++) small->drawn[i] = node.drawn[i];
    memcpy(small->score, node.score, sizeof node.score);
}

/* Twists that give the board of an earlier one. */
static int repeats(const Kernel *kernel, const Board *board) {
    int found = 0;
    uint32_t after[TWISTS];
    for (int twist = 0; twist < TWISTS; twist++) {
        int quadrant = twist / 2;
        uint32_t mine = kernel->turned[twist % 2][board->q[quadrant]];
        uint32_t theirs = kernel->turned[twist % 2][board->q[quadrant + 4]];
        int same = mine == board->q[quadrant] && theirs == board->q[quadrant + 4];
        after[twist] = same ? 0xffffffffu : (uint32_t)quadrant << 18 | mine << 9 | theirs;
        for (int other = 0; other < twist; other++)
            if (after[other] == after[twist]) found |= 1 << twist;
    }
    return found;
}

static void drop(const Kernel *kernel, const Board *board, const int16_t *drawn, int draws, float *score) {
    for (int i = 0; i < draws; i++) score[drawn[i]] = ILLEGAL;
    int twists = repeats(kernel, board);
    for (int twist = 0; twist < TWISTS; twist++)
        if (twists >> twist & 1)
            for (int i = 0; i < CELLS; i++) score[CELLS * twist + i] += ILLEGAL;
}

static float leaf(Tree *tree, const Board *board, int stones) {
    uint64_t key = key_of(board);
    int slot = key >> (64 - tree->bits);
    if (tree->leaf_keys[slot] == key) return tree->leaf_values[slot];
    uint8_t state[64 * 4 * LANES];
    states_of(tree->kernel, board, state);
    float best = best_score(tree->kernel, board, state, stones);
    if (best < LOST) {
        Node node;
        look_at(tree->kernel, board, stones, &node);
        best = ILLEGAL;
        for (int i = 0; i < MOVES; i++) best = node.score[i] > best ? node.score[i] : best;
        if (best < LOST) best = defeat(stones);
    }
    tree->leaf_keys[slot] = key;
    tree->leaf_values[slot] = best;
    return best;
}

typedef struct { float score; int16_t move; } Choice;

static int by_score(const void *one, const void *other) {
    const Choice *a = one, *b = other;
    return a->score != b->score ? (a->score < b->score ? 1 : -1) : a->move - b->move;
}

static float top_of(const float *score) {
    float best = score[0];
    for (int i = 1; i < MOVES; i++) best = score[i] > best ? score[i] : best;
    return best;
}

static inline int before(Choice a, Choice b) { return a.score != b.score ? a.score > b.score : a.move < b.move; }

static void sink(Choice *heap, int count, int at) {
    Choice one = heap[at];
    for (;;) {
        int kid = 2 * at + 1;
        if (kid >= count) break;
        if (kid + 1 < count && before(heap[kid + 1], heap[kid])) kid++;
        if (!before(heap[kid], one)) break;
        heap[at] = heap[kid];
        at = kid;
    }
    heap[at] = one;
}

static void heaped(Choice *heap, int count) {
    for (int i = count / 2 - 1; i >= 0; i--) sink(heap, count, i);
}

static Choice pop(Choice *heap, int *count) {
    Choice top = heap[0];
    heap[0] = heap[--*count];
    if (*count) sink(heap, *count, 0);
    return top;
}

/* The values of siblings two plies deep; exact below the cut. */
static void pairs(Tree *tree, Small **siblings, int count, float cut, float *best) {
    static Choice choices[KIDS][MOVES];
    int counts[KIDS], heap[KIDS], active[KIDS], left = 0, tried = 0;
    for (int i = 0; i < count; i++) {
        Small *one = siblings[i];
        best[i] = one->draws ? 0 : -INFINITE;
        float score[MOVES];
        memcpy(score, one->score, sizeof score);
        drop(tree->kernel, &one->board, one->drawn, one->draws, score);
        counts[i] = 0;
        for (int move = 0; move < MOVES; move++)
            if (score[move] > LOST) choices[i][counts[i]++] = (Choice){score[move], move};
        if (!counts[i] && best[i] < 0) best[i] = defeat(one->stones);
        if (counts[i] && best[i] < cut) {
            heaped(choices[i], heap[i] = counts[i]);
            active[left++] = i;
        }
    }
    for (int step = 0; step < 4 && left; step++) {
        int width = step < 3 ? (int)tree->set.replies[step] : MOVES, still = 0, asked = 0;
        for (int n = 0; n < left; n++) {
            int i = active[n];
            if (step == 3 && best[i] >= -DECIDED) continue;
            int end = tried + width < counts[i] ? tried + width : counts[i];
            for (int j = tried; j < end; j++) {
                Board after;
                child_of(tree->kernel, &siblings[i]->board, pop(choices[i], heap + i).move, &after);
                float value = -leaf(tree, &after, siblings[i]->stones + 1);
                if (value > best[i]) best[i] = value;
                asked++;
            }
            if (best[i] < cut && counts[i] > tried + width) active[still++] = i;
        }
        tried += width;
        left = still;
        counted(tree, asked);
        if (tree->out) return;
    }
}

/* The distinct safe moves, best first. */
static int children(const Kernel *kernel, Small *node, int limit, int16_t *moves, Board *kids) {
    Choice choices[MOVES];
    int count = 0, found = 0;
    uint64_t keys[512] = {0};
    drop(kernel, &node->board, node->drawn, node->draws, node->score);
    for (int move = 0; move < MOVES; move++)
        if (node->score[move] > LOST) choices[count++] = (Choice){node->score[move], move};
    heaped(choices, count);
    while (count && found < limit) {
        int move = pop(choices, &count).move;
        child_of(kernel, &node->board, move, kids + found);
        uint64_t key = key_of(kids + found) | 1;
        int slot = key >> 55;
        while (keys[slot] && keys[slot] != key) slot = (slot + 1) & 511;
        if (keys[slot]) continue;
        keys[slot] = key;
        moves[found++] = move;
    }
    return found;
}

static Small *below(Tree *tree, int stones, const Board *kids, int from, int end) {
    Small *found = tree->arena[stones];
    if (!found) found = tree->arena[stones] = malloc(KIDS * sizeof *found);
    for (int i = from; i < end; i++) small_of(tree->kernel, kids + i, stones, found + i);
    counted(tree, end - from);
    return found;
}

static Fight *fight_of(Tree *tree, const Board *board) {
    uint64_t key = key_of(board);
    Fight *fight = tree->fights + (key >> (67 - tree->bits));
    if (fight->key != key) *fight = (Fight){key, 0, -1, 0};
    return fight;
}

/* Settled scores without drawn moves and repeats; whether the mover can draw at once. */
static int judged_for_threats(Tree *tree, const Board *board, int stones, Node *node) {
    look_at(tree->plain, board, stones, node);
    int draws = node->draws;
    for (int i = 0; i < draws; i++) node->score[node->drawn[i]] = ILLEGAL;
    drop(tree->plain, board, 0, 0, node->score);
    return draws > 0;
}

static int threatening(Tree *tree, const Board *board, int stones, int16_t *moves, Board *kids) {
    const Kernel *kernel = tree->plain;
    Node node;
    int ready = 0, found = 0;
    uint8_t cell[CELLS + 1] = {0};
    uint64_t keys[512] = {0};
    judged_for_threats(tree, board, stones, &node);
    for (int group = 0; group < kernel->groups; group++)
        for (int i = 0; i < LANES; i++) {
            int at = node.state[LANES * group + i];
            if (at == 4 || at == 5) ready |= 1 << i % TWISTS;
            if (at == 3)
                for (int j = 0; j < 5; j++) cell[kernel->cells[group][i / TWISTS][j]] |= 1 << i % TWISTS;
        }
    for (int move = 0; move < MOVES; move++) {
        int twist = move / CELLS;
        if (!(node.score[move] > LOST) || !((ready | cell[move % CELLS]) >> twist & 1)) continue;
        child_of(kernel, board, move, kids + found);
        uint64_t key = key_of(kids + found) | 1;
        int slot = key >> 55;
        while (keys[slot] && keys[slot] != key) slot = (slot + 1) & 511;
        if (keys[slot]) continue;
        keys[slot] = key;
        moves[found++] = move;
    }
    return found;
}

static int threat_spend(Tree *tree, int rows) {
    tree->nodes += rows;
    return tree->threat_end < (tree->fought += rows);
}

static int attack(Tree *tree, const Board *board, int stones, int threats);

static int answers_left(const Node *node) {
    int count = 0;
    for (int i = 0; i < MOVES; i++) count += node->score[i] > LOST;
    return count;
}

static int at_once(Tree *tree, const Board *board, int stones) {
    int16_t moves[MOVES];
    Board kids[MOVES];
    if (stones + 3 > CELLS) return 0;
    int count = threatening(tree, board, stones, moves, kids);
    if (threat_spend(tree, 1 + count)) return -1;
    for (int i = 0; i < count; i++) {
        Node node;
        int draws = judged_for_threats(tree, kids + i, stones + 1, &node);
        if (!draws && top_of(node.score) < LOST) return 1;
    }
    return 0;
}

/* 1 if every safe answer loses to so many threats, 0 if not, -1 when enough was looked at. */
static int all_lose(Tree *tree, const Board *board, const Node *node, int stones, int threats) {
    Small small = {.board = *board, .stones = stones, .draws = 0};
    int16_t moves[MOVES];
    Board kids[MOVES];
    memcpy(small.score, node->score, sizeof small.score);
    int count = children(tree->plain, &small, MOVES, moves, kids);
    for (int i = 0; i < count; i++) {
        int won = threats == 1 ? at_once(tree, kids + i, stones + 1) : attack(tree, kids + i, stones + 1, threats);
        if (threats > 1 && won == -1) return 0;
        if (won == -2 || (threats == 1 && won == -1)) return -1;
        if (threats == 1 && !won) return 0;
    }
    return 1;
}

/* The move that wins within so many threats; -1 for none, -2 when enough was looked at. */
static int attack(Tree *tree, const Board *board, int stones, int threats) {
    static const int most_answers[] = {0, 40, 16, 8, 5, 4};
    Fight *fight = fight_of(tree, board);
    uint64_t key = fight->key;
    int16_t moves[MOVES];
    Board kids[MOVES];
    if (fight->won && fight->won <= threats) return fight->move;
    if (fight->tried >= threats || stones + 2 * threats + 1 > CELLS) return -1;
    int count = threatening(tree, board, stones, moves, kids);
    if (threat_spend(tree, 1) || (count && threat_spend(tree, count))) return -2;
    Node *nodes = malloc((count ? count : 1) * sizeof *nodes);
    int answers[MOVES], found = -1;
    for (int i = 0; i < count && found == -1; i++) {
        int draws = judged_for_threats(tree, kids + i, stones + 1, nodes + i);
        answers[i] = draws ? 1000 : answers_left(nodes + i);
        if (!answers[i]) {
            *fight_of(tree, board) = (Fight){key, 1, moves[i], 0};
            found = moves[i];
        }
    }
    int most = threats - 1 <= 5 ? most_answers[threats - 1] : 3;
    for (int number = 1; threats > 1 && number <= most && found == -1; number++)
        for (int i = 0; i < count && found == -1; i++) {
            if (answers[i] != number) continue;
            int lost = all_lose(tree, kids + i, nodes + i, stones + 1, threats - 1);
            if (lost < 0) found = -2;
            if (lost == 1) {
                *fight_of(tree, board) = (Fight){key, threats, moves[i], 0};
                found = moves[i];
            }
        }
    free(nodes);
    if (found == -1) fight_of(tree, board)->tried = threats;
    return found;
}

static int find_win(Tree *tree, const Board *board, int stones, long nodes) {
    tree->threat_end = tree->fought + nodes;
    for (int threats = 1; threats <= MOST_THREATS; threats++) {
        int move = attack(tree, board, stones, threats);
        if (move == -2) break;
        if (move >= 0) {
            tree->length = 2 * threats + 1;
            return move;
        }
    }
    return -1;
}

static Entry *entry_of(Tree *tree, const Board *board) {
    return tree->table + (key_of(board) >> (66 - tree->bits));
}

static void keep(Tree *tree, const Board *board, int depth, int bound, float value, int move) {
    Entry *entry = entry_of(tree, board);
    uint64_t key = key_of(board);
    if (entry->key == key && entry->depth > depth) return;
    *entry = (Entry){key, value, move, depth, bound};
}

static int limit_of(const double *limits, int depth) {
    return limits[depth < DEEPEST_LIMIT ? depth : DEEPEST_LIMIT];
}

static float value_of(Tree *tree, Small *node, int depth, float alpha, float beta, int mine, int cut) {
    int stones = node->stones;
    float value;
    if (depth > CELLS - stones) depth = CELLS - stones;
    if (depth == 2) {
        pairs(tree, &node, 1, beta, &value);
        return value;
    }
    if (depth < 2) {
        float top = top_of(node->score);
        return top > LOST ? top : defeat(stones);
    }
    /* 1. What is known already. */
    Entry known = *entry_of(tree, &node->board);
    int is_known = known.key == key_of(&node->board);
    if (is_known && ((known.depth >= depth && !((known.depth - depth) & 1)) || fabsf(known.value) > DECIDED))
        if (known.bound == EXACT || (known.bound == LOWER ? known.value >= beta : known.value <= alpha))
            return known.value;
    /* 2. The safe moves, those first after which the other's best score is lowest. */
    float best = node->draws ? 0 : -INFINITE;
    int reply = node->draws ? node->drawn[0] : -1;
    int16_t moves[MOVES];
    Board kids[MOVES];
    Choice order[MOVES];
    int number = children(tree->kernel, node, tree->set.first_look, moves, kids);
    if (!number) return node->draws ? best : defeat(stones);
    int known_at = -1;
    for (int i = 0; i < number; i++) if (is_known && known.move == moves[i]) known_at = i;
    int glance = tree->set.glance, most = tree->set.tried, staged = cut && number > glance + most ? glance : number;
    if (known_at >= staged) {
        int m = moves[known_at]; Board k = kids[known_at];
        memmove(moves + 1, moves, known_at * sizeof *moves);
        memmove(kids + 1, kids, known_at * sizeof *kids);
        moves[0] = m; kids[0] = k; known_at = 0;
    }
    Small *under = below(tree, stones + 1, kids, 0, staged);
    if (tree->out) return 0;
    for (int i = 0; i < staged; i++) {
        float top = top_of(under[i].score);
        order[i] = (Choice){-top, i};
        if (top < LOST) {
            value = WIN - (stones + 3);
            keep(tree, &node->board, SURE, LOWER, value, moves[i]);
            return value;
        }
        if (i == known_at) order[i].score = INFINITE;
    }
    qsort(order, staged, sizeof *order, by_score);
    /* 3. Down to the next ply. */
    int limit = limit_of(mine ? tree->set.mine : tree->set.theirs, depth), tried = 0;
    float lowest = alpha > best ? alpha : best, slack = tree->set.slack;
    float found = -INFINITE;
    int place = 0, so_far = staged;
    static const int groups[] = {1, 3, 12, 48, 288};
    int group = 0;
    for (;;) {
        if (tried >= (staged < number && so_far == staged ? most : so_far)) {
            if (so_far == number) break;
            below(tree, stones + 1, kids, staged, number);
            if (tree->out) return 0;
            for (int i = staged; i < number; i++) {
                float top = top_of(under[i].score);
                order[i] = (Choice){-top, i};
                if (top < LOST) {
                    value = WIN - (stones + 3);
                    keep(tree, &node->board, SURE, LOWER, value, moves[i]);
                    return value;
                }
            }
            so_far = number;
            qsort(order + tried, number - tried, sizeof *order, by_score);
        }
        int stop = staged < number && so_far == staged ? most : so_far;
        if (depth == 3) {
            int end = tried + groups[group] < stop ? tried + groups[group] : stop;
            if (-DECIDED < found || !tried) end = end < limit ? end : limit;
            if (end <= tried || found >= beta) break;
            float floor = lowest > found ? lowest : found;
            if (tried && fabsf(floor) < DECIDED)
                while (end > tried && order[end - 1].score + slack <= floor) end--;
            if (end <= tried) break;
            Small *some[MOVES];
            float values[MOVES];
            for (int i = tried; i < end; i++) some[i - tried] = under + order[i].move;
            pairs(tree, some, end - tried, -floor, values);
            if (tree->out) return 0;
            for (int i = 0; i < end - tried; i++)
                if (-values[i] > found) { found = -values[i]; place = tried + i; }
            tried = end;
            group++;
            if (found >= beta) break;
        } else {
            if (tried >= limit && found > -DECIDED) break;
            Small *child = under + order[tried].move;
            float lower = lowest > found ? lowest : found;
            if (tried && fabsf(lower) < DECIDED && order[tried].score + slack * (depth - 2) <= lower) break;
            value = INFINITE;
            if (tried && tried >= tree->set.late && fabsf(lower) < DECIDED) {
                int deep = depth > 4 ? depth - 3 : 1;
                value = -value_of(tree, child, deep, -lower - 1, -lower, !mine, 1);
                if (tree->out) return 0;
            }
            if (tried && value > lower) value = -value_of(tree, child, depth - 1, -lower - 1, -lower, !mine, !cut);
            if (tree->out) return 0;
            if (!tried || (lower < value && value < beta))
                value = -value_of(tree, child, depth - 1, -beta, -lower, !mine, beta - alpha < 2 ? !cut : 0);
            if (tree->out) return 0;
            if (value > found) {
                found = value;
                place = tried;
            }
            tried++;
            if (found >= beta) break;
        }
    }
    if (found > best) { best = found; reply = moves[order[place].move]; }
    keep(tree, &node->board, depth, best >= beta ? LOWER : best <= alpha ? UPPER : EXACT, best, reply);
    return best;
}

/* The most a move to this node can be worth, as far as the other's threats are seen. */
static float veto(Tree *tree, const Small *node) {
    if (tree->set.veto_nodes < 1 || node->stones >= LAST) return INFINITE;
    if (find_win(tree, &node->board, node->stones, tree->set.veto_nodes) < 0) return INFINITE;
    return -(WIN - (node->stones + tree->length));
}

/* The move for about so many nodes, or to a depth.  `figures`: nodes, depth, score. */
int tree_move(Tree *tree, const uint16_t *given, long nodes, int deepest, uint64_t seed, double *figures) {
    const Kernel *kernel = tree->kernel;
    Board board, *kids = malloc(MOVES * sizeof *kids);
    Node first;
    Small root;
    int16_t moves[MOVES];
    Choice order[MOVES], again[MOVES];
    memcpy(board.q, given, sizeof board.q);
    int stones = stones_of(&board), depth = 1, done = 0;
    tree->nodes = 0; tree->most = nodes; tree->out = 0;
    tree->seed = mixed(seed + 1) | 1;
    look_at(kernel, &board, stones, &first);
    int move = winning_move(kernel, &board, first.state);
    tree->best_score = WIN - (stones + 1);
    if (move >= 0) goto told;
    move = any_move(kernel, &first);
    if (tree->set.attack_nodes >= 1) {
        int won = find_win(tree, &board, stones, tree->set.attack_nodes);
        if (won >= 0) {
            move = won;
            tree->best_score = WIN - (stones + tree->length);
            goto told;
        }
    }
    small_of(kernel, &board, stones, &root);
    tree->best = move;
    tree->best_score = first.score[move];
    int number = children(kernel, &root, MOVES, moves, kids);
    if (!number && tree->best_score < LOST) tree->best_score = defeat(stones);
    if (number + (root.draws > 0) < 2 || stones >= LAST) goto told;
    Small *under = below(tree, stones + 1, kids, 0, number);
    for (int i = 0; i < number; i++) {
        float top = top_of(under[i].score);
        order[i] = (Choice){top > LOST ? -top : WIN, i};
        tree->raised[i] = tree->set.margin < 1 ? 0 : lot(&tree->seed) >> 33 & 0xffff;
        tree->raised[i] = floorf(tree->raised[i] * (tree->set.margin + 1) / 65536);
    }
    qsort(order, number, sizeof *order, by_score);
    for (depth = 2; depth <= deepest && !done; depth++) {
        int limit = depth < 5 ? MOVES : limit_of(tree->set.root, depth), tried = 0;
        float alpha = -INFINITE, told = 0;
        int best = -1;
        if (root.draws) { alpha = 0; best = root.drawn[0]; }
        for (; tried < number; tried++) {
            if (tried >= limit && alpha > -DECIDED) break;
            int place = order[tried].move;
            Small *node = under + place;
            float extra = tree->raised[place], least = alpha - extra, value;
            if (tried == 0 || depth < 4) value = -value_of(tree, node, depth - 1, -INFINITE, -least, 0, 0);
            else {
                value = -value_of(tree, node, depth - 1, -least - 1, -least, 0, 1);
                if (!tree->out && value > least) value = -value_of(tree, node, depth - 1, -INFINITE, -least, 0, 0);
            }
            if (tree->out) goto told_best;
            if (fabsf(value) < DECIDED) value += extra;
            if (value > alpha && depth >= 3 && value > -DECIDED) {
                float most = veto(tree, node);
                if (most < value) value = most;
            }
            order[tried].score = value;
            if (tried == 0 && value < -DECIDED && depth > 2 && number > 1) tree->best = moves[order[1].move];
            if (value > alpha) {
                alpha = value;
                best = moves[place];
                told = value - (fabsf(value) < DECIDED ? extra : 0);
                if (tried > 0 || depth == 2) { tree->best = best; tree->best_score = told; }
            }
        }
        tree->best = best;
        tree->best_score = told;
        memcpy(again, order, sizeof again);
        for (int i = 1; i < tried; i++) {          /* a stable sort of those that were tried */
            Choice one = again[i];
            int at = i;
            for (; at && again[at - 1].score < one.score; at--) again[at] = again[at - 1];
            again[at] = one;
        }
        memcpy(order, again, sizeof again);
        done = depth >= CELLS - stones
               || (fabsf(told) > DECIDED && WIN - fabsf(told) - stones <= depth + 1);
    }
told_best:
    depth--;
    move = tree->best;
told:
    figures[0] = tree->nodes; figures[1] = depth; figures[2] = tree->best_score;
    free(kids);
    return move;
}

/* Whose fives are on a board: 1 for the mover's, 2 for the other's. */
static int fives_on(const Kernel *kernel, const Board *board) {
    uint8_t state[64 * 4 * LANES];
    int found = 0;
    states_of(kernel, board, state);
    for (int group = 0; group < kernel->groups; group++)
        for (int i = 0; kernel->plain[group] && i < LANES; i++)
            if (kernel->untouched[2 * group + i / TWISTS] >> i % TWISTS & 1)
                found |= (state[LANES * group + i] == 5) | (state[LANES * group + i] == 10) << 1;
    return found;
}

/* One of the best moves that do not lose at once, by chance; -1 where there is none. */
static int stray(const Kernel *kernel, const Board *board, int among, uint64_t *seed) {
    Node node;
    int moves[MOVES];
    look_at(kernel, board, stones_of(board), &node);
    int count = sorted(kernel, &node, LOST, moves);
    return count ? moves[(lot(seed) >> 20) % (count < among ? count : among)] : -1;
}

/* The positions of a game of a search against itself in which nobody can win at once, what the search says of
   them, and whether the move then was picked by chance: in `in_hundred` of a hundred one of the best `among`.
   Answers how many; `points` are those of the one who moves first. */
int recorded(Tree *tree, const uint16_t *given, long nodes, int in_hundred, int among, uint64_t seed,
             uint16_t *boards, float *scores, uint8_t *strays, double *points) {
    Board board, after;
    double figures[8];
    int count = 0;
    seed = mixed(seed + 1) | 1;
    memcpy(board.q, given, sizeof board.q);
    *points = 0.5;
    for (int own = 1, stones = stones_of(&board); stones < CELLS; own = !own, stones++) {
        uint8_t state[64 * 4 * LANES];
        states_of(tree->plain, &board, state);
        if (wins(tree->plain, state)) { *points = own; return count; }
        int move = tree_move(tree, board.q, nodes, CELLS, seed + stones, figures);
        memcpy(boards + 8 * count, board.q, sizeof board.q);
        scores[count] = figures[2];
        strays[count++] = 0;
        if (figures[2] > DECIDED || figures[2] < -DECIDED) { *points = own == (figures[2] > 0); return count; }
        if ((int)((lot(&seed) >> 20) % 100) < in_hundred) {
            int other = stray(tree->plain, &board, among, &seed);
            if (other >= 0) { move = other; strays[count - 1] = 1; }
        }
        child_of(tree->plain, &board, move, &after);
        int fives = fives_on(tree->plain, &after);
        if (fives) { *points = fives == 3 ? 0.5 : own == (fives == 2); return count; }
        board = after;
    }
    return count;
}
