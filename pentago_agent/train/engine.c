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
    uint8_t *plain;                /* whether a group's masks are windows */
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

static v16i lanes(const uint8_t *state) {
    v16b bytes;
    memcpy(&bytes, state, sizeof bytes);
    return __builtin_convertvector(bytes, v16i);
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

/* Bits of the twists with which the mover wins at once. */
static int wins(const Kernel *kernel, const uint8_t *state) {
    int fours = 0, fives = 0, alone = 0;
    for (int group = 0; group < kernel->groups; group++) {
        if (!kernel->plain[group]) continue;
        for (int i = 0; i < LANES; i++) {
            int at = state[LANES * group + i], twist = i % TWISTS;
            if (at == 4 || at == 5) {
                fours |= 1 << twist;
                alone |= kernel->untouched[2 * group + i / TWISTS] >> twist & 1;
            }
            fives |= (at == 10) << twist;
        }
    }
    if (kernel->places_at_once && alone) return 255;
    return fours & ~fives;
}

static int completes(const Kernel *kernel, const uint8_t *state, int move, int plain_only, int untouched_only) {
    int twist = move / CELLS, number = move % CELLS;
    for (int group = 0; group < kernel->groups; group++) {
        if (plain_only && !kernel->plain[group]) continue;
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
        if (completes(kernel, state, move, 1, fives >> twist & 1)) return move;
    }
    return -1;
}

/* Where both colours come near a five: moves that draw at once, and unsafe ones that are none. */
static void settle(const Kernel *kernel, Node *node) {
    int mine = 0, theirs = 0, fours = 0, fives = 0;
    node->draws = 0;
    for (int i = 0; i < LANES * kernel->groups; i++) {
        int at = node->state[i];
        mine |= at == 4 || at == 5;
        theirs |= at == 9 || at == 10;
    }
    if (!mine || !theirs) return;
    for (int group = 0; group < kernel->groups; group++)
        for (int i = 0; kernel->plain[group] && i < LANES; i++) {
            int at = node->state[LANES * group + i];
            fours |= (at == 4 || at == 5) << i % TWISTS;
            fives |= (at == 10) << i % TWISTS;
        }
    for (int move = 0; move < MOVES; move++) {
        int twist = move / CELLS;
        float score = node->score[move];
        if (score < TAKEN) continue;
        if (fours & fives & 1 << twist && completes(kernel, node->state, move, 1, 0)) {
            node->score[move] = 0;
            node->drawn[node->draws++] = move;
        } else if (score < LOST && node->stones < LAST && !(fives >> twist & 1)
                   && completes(kernel, node->state, move, 0, 0)) {
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
