/* The agent's search once more, twenty times as fast and more: see engine.py.

   Squares, moves and scores are those of position.py, sides.py, candidates.py and evaluate.py, the search is that
   of shared/alphabeta.py; all numbers come from the Python modules.  It looks at the same nodes, as long as the
   table holds all that it is told. */

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { MOST = 12, PAIRS = 29, LAST_PLY = 500, NEAR_THE_END = LAST_PLY - 80, LOUD = 1 << 16, MOST_MOVES = 1024 };
enum { DEEPEST = 100, EXACT = 0, LOWER = 1, UPPER = 2, SOLVED = 1000, KEPT = 4, CACHED = 1 << 13, FILTER = 1 << 12 };
enum { WIN = 1000000, DECIDED = WIN - 10000, INFINITE = WIN + 1, UNBOUNDED = 1 << 28 };
enum { DRAW, ASPIRATION, LATE, LATER, FEW, SETTINGS };
#define NAME ((1ull << 62) - 1)
#define BLACK_TO_MOVE (0x1F83D9ABFB41BD6Bull & 0x3FFFFFFFFFFFFFFFull)

typedef struct { u64 bits, near; int tokens; } Group;

typedef struct {                      /* sides.py says what each is */
    u64 heights[4], bits, near, area, name, other;
    int tokens, stacks, pairs, spread, x, y, square, many;
    Group groups[MOST];
} Side;

typedef struct { u64 bits; int mine, theirs; } Component;
typedef struct { int mover; const Side *mine, *theirs; int plies; u64 name; } Position;

static u64 KING[64], TARGETS[MOST + 1][64], AREA[MOST + 1][64], NUMBER[MOST + 1][64];

static int count(u64 set) { return __builtin_popcountll(set); }
static int first_of(u64 set) { return __builtin_ctzll(set); }
static int last_of(u64 set) { return 63 - __builtin_clzll(set); }
static int height_at(const u64 *heights, int square) { return heights[square >> 4] >> 4 * (square & 15) & 15; }

/* --- sides --- */

static void work_out(Side *side) {
    u64 rest = 0;
    for (int part = 0; part < 4; part++) {
        u64 any = side->heights[part];
        any = (any | any >> 1 | any >> 2 | any >> 3) & 0x1111111111111111ull;
        for (; any; any &= any - 1) rest |= 1ull << (16 * part + first_of(any) / 4);
    }
    side->bits = side->near = side->area = side->name = 0;
    side->tokens = side->stacks = side->pairs = side->x = side->y = side->square = side->many = 0;
    while (rest) {
        int square = last_of(rest), height = height_at(side->heights, square), x = square & 7, y = square >> 3;
        u64 bit = 1ull << square;
        rest ^= bit;
        Group group = {bit, KING[square], height};
        if (side->near & bit) {       /* beside stacks that were here before: their groups become one */
            side->pairs += count(KING[square] & side->bits);
            int apart = 0;
            for (int i = 0; i < side->many; i++) {
                Group other = side->groups[i];
                if (other.near & bit) {
                    group.bits |= other.bits, group.near |= other.near, group.tokens += other.tokens;
                } else side->groups[apart++] = other;
            }
            side->many = apart;
        }
        side->groups[side->many++] = group;
        side->bits |= bit, side->near |= KING[square], side->area |= AREA[height][square];
        side->tokens += height, side->stacks++;
        side->x += height * x, side->y += height * y, side->square += height * (x * x + y * y);
        side->name += NUMBER[height][square];
    }
    side->name &= NAME;
    side->other = side->name * 0x9E3779B97F4A7C15ull & NAME;
    side->spread = count(side->area);
    for (int i = 1; i < side->many; i++) { /* most tokens first, else as found */
        Group group = side->groups[i];
        int at = i;
        for (; at && side->groups[at - 1].tokens < group.tokens; at--) side->groups[at] = side->groups[at - 1];
        side->groups[at] = group;
    }
}

static Side *remembered;

static void side_of(Side *side, const u64 *heights) {
    u64 mixed = (heights[0] * 0x9E3779B97F4A7C15ull) ^ (heights[1] * 0xC2B2AE3D27D4EB4Full)
                ^ (heights[2] * 0x165667B19E3779F9ull) ^ (heights[3] * 0x27D4EB2F165667C5ull);
    Side *known = remembered + ((mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15ull >> 40) % CACHED;
    if (memcmp(known->heights, heights, sizeof known->heights)) {
        memcpy(known->heights, heights, sizeof known->heights);
        work_out(known);
    }
    memcpy(side, known, sizeof *side - (MOST - known->many) * sizeof(Group));
}

/* The components with stacks of both, in the order of sides.py's `mixed`; how many. */
static int mixed(const Side *mine, const Side *theirs, Component *found) {
    Group my_rest[MOST], their_rest[MOST];
    int my_many = 0, their_many = 0, many = 0;
    for (int i = 0; i < mine->many; i++)
        if (mine->groups[i].near & theirs->bits) my_rest[my_many++] = mine->groups[i];
    if (!my_many) return 0;
    for (int i = 0; i < theirs->many; i++)
        if (theirs->groups[i].near & mine->bits) their_rest[their_many++] = theirs->groups[i];
    if (my_many == 1 || their_many == 1) {
        Component one = {0, 0, 0};
        for (int i = 0; i < my_many; i++) one.bits |= my_rest[i].bits, one.mine += my_rest[i].tokens;
        for (int i = 0; i < their_many; i++) one.bits |= their_rest[i].bits, one.theirs += their_rest[i].tokens;
        found[0] = one;
        return 1;
    }
    while (my_many) {
        Group at = my_rest[--my_many];
        Component one = {at.bits, at.tokens, 0};
        u64 near = at.near;
        for (int grown = 1; grown;) {
            int left = 0;
            grown = 0;
            for (int i = 0; i < their_many; i++)
                if (their_rest[i].bits & near) {
                    one.bits |= their_rest[i].bits, near |= their_rest[i].near, one.theirs += their_rest[i].tokens;
                    grown = 1;
                } else their_rest[left++] = their_rest[i];
            their_many = left;
            if (!grown) break;
            left = grown = 0;
            for (int i = 0; i < my_many; i++)
                if (my_rest[i].bits & near) {
                    one.bits |= my_rest[i].bits, near |= my_rest[i].near, one.mine += my_rest[i].tokens;
                    grown = 1;
                } else my_rest[left++] = my_rest[i];
            my_many = left;
        }
        found[many++] = one;
    }
    return many;
}

/* --- the board --- */

static u64 named(int mover, const Side *mine, const Side *theirs, int plies) {
    u64 name = mine->name ^ theirs->other;
    if (mover) name ^= BLACK_TO_MOVE;
    if (plies > NEAR_THE_END) name ^= (u64)plies << 40;
    return name;
}

static u64 without_plies(const Position *at) {
    return at->plies > NEAR_THE_END ? at->name ^ (u64)at->plies << 40 : at->name;
}

static int over(const Position *at) { return !at->mine->tokens || !at->theirs->tokens || at->plies >= LAST_PLY; }

static u64 component(const Side *mine, const Side *theirs, int square) {
    Component found[MOST];
    u64 bit = 1ull << square;
    int many = mixed(mine, theirs, found);
    for (int i = 0; i < many; i++)
        if (found[i].bits & bit) return found[i].bits;
    for (int i = 0; i < mine->many; i++)
        if (mine->groups[i].bits & bit) return mine->groups[i].bits;
    return bit;
}

/* The position after a move; `sides` is where its two sides are put, if they are new. */
static Position play(const Position *at, int move, Side *sides) {
    u64 heights[4];
    Position after = {1 - at->mover, at->theirs, sides, at->plies + 1, 0};
    memcpy(heights, at->mine->heights, sizeof heights);
    if (move > 63) {
        int n = move >> 12 & 15, start = move >> 6 & 63, target = move & 63;
        heights[target >> 4] += (u64)n << 4 * (target & 15);
        heights[start >> 4] -= (u64)n << 4 * (start & 15);
        side_of(sides, heights);
    } else {
        u64 gone = component(at->mine, at->theirs, move), their_heights[4];
        memcpy(their_heights, at->theirs->heights, sizeof their_heights);
        for (; gone; gone &= gone - 1) {
            int square = first_of(gone);
            u64 here = 15ull << 4 * (square & 15);
            heights[square >> 4] &= ~here, their_heights[square >> 4] &= ~here;
        }
        side_of(sides, heights);
        side_of(sides + 1, their_heights);
        after.mine = sides + 1;
    }
    after.name = named(after.mover, after.mine, after.theirs, after.plies);
    return after;
}

static int legal(const Position *at, int *moves) {
    int many = 0, booms = 0;
    if (over(at)) return 0;
    for (u64 rest = at->mine->bits; rest; booms++) {
        int square = last_of(rest);
        rest ^= 1ull << square;
        moves[booms] = square;
    }
    many = booms;
    for (int i = 0; i < booms; i++) {
        int start = moves[i], height = height_at(at->mine->heights, start);
        for (u64 targets = TARGETS[height][start] & ~at->theirs->bits; targets; targets &= targets - 1)
            for (int n = 1; n <= height; n++) moves[many++] = n << 12 | start << 6 | first_of(targets);
    }
    return many;
}

/* --- the search --- */

typedef struct {                      /* the numbers of evaluate.py */
    double tables[2][MOST + 1][MOST + 1]; /* where the searching player is to move; where the other is */
    double plain[MOST + 1][MOST + 1], shape[MOST + 1][MOST + 1][PAIRS + 1], distances[MOST + 1][MOST + 1];
    double area[25], exposed[25], in_reach[25], worst[25], other_threats[25], other_gains[25]; /* by tokens */
} Evaluation;

typedef struct { u64 name; int score, move; int16_t depth; uint8_t bound, used; int age; } Entry;

typedef struct {
    int settings[SETTINGS];
    Evaluation evaluation;
    int draws[2], dead[2];            /* as evaluation.tables */
    int age, places, known;           /* known: how many names the last search was told of */
    Entry *table;
    int *history[2], *taught[2], lessons[2]; /* taught: the moves whose history is not nought, and how many */
    int killers[DEEPEST + 1][2];
    u64 path[LAST_PLY + DEEPEST + 2], told[LAST_PLY + 1];
    uint8_t filter[FILTER];
    int named, player;
    i64 nodes, most;
    int horizon, repeated;
    jmp_buf stop;
    int order[MOST_MOVES], many;
    int move, score, depth;
} Tree;

static double exchange(const Evaluation *of, int other, int m, int e, const Component *components, int many) {
    double standing = of->tables[other][m][e], best = standing;
    int chosen = -1, left = 0;
    for (int i = 0; i < many; i++) {
        double gain = of->tables[other][m - components[i].mine][e - components[i].theirs];
        if (gain > best) best = gain, chosen = i;
    }
    if (chosen < 0 || many == 1) return best;
    Component rest[MOST];
    for (int i = 0; i < many; i++)
        if (i != chosen) rest[left++] = (Component){components[i].bits, components[i].theirs, components[i].mine};
    double after = -exchange(of, 1 - other, e - components[chosen].theirs, m - components[chosen].mine, rest, left);
    return after > standing ? after : standing;
}

static int evaluate(const Tree *tree, const Position *at) {
    const Evaluation *of = &tree->evaluation;
    const Side *mine = at->mine, *theirs = at->theirs;
    int other = at->mover != tree->player, m = mine->tokens, e = theirs->tokens, all = m + e;
    if (!m || !e) return m ? WIN : e ? -WIN : tree->draws[other];
    if (at->plies >= LAST_PLY) return tree->draws[other];
    if (m == 1 && e == 1) return tree->dead[other];
    double value = of->area[all] * (mine->spread - theirs->spread) + of->shape[m][mine->stacks][mine->pairs]
                   - of->shape[e][theirs->stacks][theirs->pairs];
    for (int i = 0; i < mine->many; i++) {
        const Group *group = mine->groups + i;
        if (group->bits & theirs->area && !(group->near & theirs->bits)) {
            value += of->exposed[all] * (group->tokens - 1);
            break;
        }
    }
    for (int i = 0; i < theirs->many; i++) {
        const Group *group = theirs->groups + i;
        if (group->bits & mine->area && !(group->near & mine->bits)) {
            value += of->in_reach[all] * (group->tokens - 1);
            break;
        }
    }
    if (m != e) {
        int sum = e * mine->square + m * theirs->square - 2 * (mine->x * theirs->x + mine->y * theirs->y);
        value += of->distances[m][e] * sqrt((double)sum / (m * e));
    }
    if (!(mine->near & theirs->bits)) return (int)(value + of->tables[other][m][e]);
    Component components[MOST];
    int many = mixed(mine, theirs, components);
    if (many == 1) {
        if (components[0].mine > components[0].theirs)
            value += of->worst[all] * (components[0].mine - components[0].theirs);
    } else {
        int worst = 0, best = 0, threats = 0, gains = 0;
        for (int i = 0; i < many; i++) {
            int gain = components[i].theirs - components[i].mine;
            if (gain > 0) {
                gains += gain;
                if (gain > best) best = gain;
            } else {
                threats -= gain;
                if (gain < worst) worst = gain;
            }
        }
        value += of->other_gains[all] * (gains - best) + of->other_threats[all] * (threats + worst) - of->worst[all] * worst;
    }
    double material = exchange(of, other, m, e, components, many);
    if (material > WIN - 10) return WIN - 1;
    return (int)(value + material);
}

static int standing(const Tree *tree, const Position *at, int ply) {
    int score = evaluate(tree, at);
    if (!(-DECIDED < score && score < DECIDED)) score += score < 0 ? ply : -ply;
    return score;
}

static int split(int height, int distance, int *into) {
    int many = 0;
    for (int n = 1; n <= height; n++)
        if (height <= 3 || n == 1 || n == distance || n == height / 2 || n >= height - 1) into[many++] = n;
    return many;
}

static int8_t SPLITS[MOST + 1][8][8]; /* by height and distance: how many, and which */

static void sorted(int (*keyed)[2], int many) { /* by both numbers, the lowest first */
    for (int i = 1; i < many; i++) {
        int key = keyed[i][0], move = keyed[i][1], at = i;
        for (; at && (keyed[at - 1][0] > key || (keyed[at - 1][0] == key && keyed[at - 1][1] > move)); at--)
            keyed[at][0] = keyed[at - 1][0], keyed[at][1] = keyed[at - 1][1];
        keyed[at][0] = key, keyed[at][1] = move;
    }
}

typedef struct { int loud[MOST_MOVES], quiet[MOST_MOVES], bad[MOST], louds, quiets, bads; } Found;

/* candidates.py's `_found`. */
static void candidates(const Tree *tree, const Position *at, Found *found) {
    const Side *mine = at->mine, *theirs = at->theirs;
    int m = mine->tokens, e = theirs->tokens;
    u64 bits = theirs->bits, near = theirs->near, in_danger = 0;
    found->louds = found->quiets = found->bads = 0;
    if (over(at)) return;
    if (mine->bits & near) {
        Component components[MOST];
        double standing = tree->evaluation.plain[m][e], gains[MOST];
        int many = mixed(mine, theirs, components);
        for (int i = 0; i < many; i++) {
            Component one = components[i];
            u64 own = one.bits & mine->bits;
            int boom = last_of(own);
            double gain = tree->evaluation.plain[m - one.mine][e - one.theirs];
            if (gain > standing || one.theirs >= one.mine) {
                int at = found->louds++;
                for (; at && (gains[at - 1] < gain || (gains[at - 1] == gain && found->loud[at - 1] > boom)); at--)
                    gains[at] = gains[at - 1], found->loud[at] = found->loud[at - 1];
                gains[at] = gain, found->loud[at] = boom;
            } else if (e <= tree->settings[FEW]) found->bad[found->bads++] = boom;
            if (one.mine > one.theirs) in_danger |= own;
        }
    }
    int landings[MOST_MOVES][2], escapes[MOST_MOVES][2], swings[64], landed = 0, escaped = 0;
    u64 asked = 0;
    for (u64 rest = mine->bits; rest;) {
        int start = last_of(rest), height = height_at(mine->heights, start);
        u64 stack = 1ull << start, threatened = stack & in_danger;
        rest ^= stack;
        for (u64 targets = TARGETS[height][start]; targets; targets &= targets - 1) {
            int target = first_of(targets), across = target % 8 - start % 8, up = target / 8 - start / 8;
            u64 bit = 1ull << target;
            const int8_t *into = SPLITS[height][abs(across) + abs(up)];
            int beside = 0, out = 0;
            if (bit & near) {
                if (bit & bits) continue;
                if (!(asked & bit)) {
                    int swing = 0;
                    for (int i = 0; i < theirs->many; i++)
                        if (theirs->groups[i].near & bit) swing += theirs->groups[i].tokens;
                    for (int i = 0; i < mine->many; i++)
                        if (mine->groups[i].near & bit) swing -= mine->groups[i].tokens;
                    asked |= bit, swings[target] = swing;
                }
                beside = swings[target] > 0;
            } else out = threatened != 0;
            for (int i = 1; i <= into[0]; i++) {
                int n = into[i], move = n << 12 | start << 6 | target;
                if (beside) landings[landed][0] = n - swings[target], landings[landed++][1] = move | LOUD;
                else if (out) escapes[escaped][0] = -n, escapes[escaped++][1] = move | LOUD;
                else found->quiet[found->quiets++] = move;
            }
        }
    }
    sorted(landings, landed);
    sorted(escapes, escaped);
    for (int i = 0; i < landed; i++) found->loud[found->louds++] = landings[i][1];
    for (int i = 0; i < escaped; i++) found->loud[found->louds++] = escapes[i][1];
}

static int quiet(int move) { return 64 <= move && move < LOUD; }

/* The moves with what has been learned: loud ones, killers, then by history; how many. */
static int arranged(Tree *tree, const Position *at, int depth, int *moves) {
    Found found;
    int many, worth[MOST_MOVES];
    candidates(tree, at, &found);
    for (int i = 0; i < found.bads; i++) found.loud[found.louds++] = found.bad[i];
    if (!found.louds && !found.quiets) {
        int all = legal(at, moves);
        for (int i = 0; i < all; i++)
            if (quiet(moves[i])) found.quiet[found.quiets++] = moves[i];
            else found.loud[found.louds++] = moves[i];
    }
    many = found.louds;
    memcpy(moves, found.loud, many * sizeof *moves);
    const int *taught = tree->history[at->mover];
    for (int i = 0; i < found.quiets; i++) {
        int move = found.quiet[i], is = taught[move], at = i;
        for (; at && worth[at - 1] < is; at--) worth[at] = worth[at - 1], moves[many + at] = moves[many + at - 1];
        worth[at] = is, moves[many + at] = move;
    }
    for (int which = 1; which >= 0; which--) {
        int killer = tree->killers[depth][which];
        for (int i = 0; killer && i < found.quiets; i++)
            if (moves[many + i] == killer) {
                memmove(moves + many + 1, moves + many, i * sizeof *moves);
                moves[many] = killer;
                break;
            }
    }
    return many + found.quiets;
}

static Entry *bucket_of(const Tree *tree, u64 name) { return tree->table + name % (tree->places / KEPT) * KEPT; }

static Entry *entry_of(const Tree *tree, u64 name) {
    Entry *bucket = bucket_of(tree, name);
    for (int i = 0; i < KEPT; i++)
        if (bucket[i].used && bucket[i].name == name) return bucket + i;
    return NULL;
}

static void keep(Tree *tree, Entry entry) {
    Entry *at = entry_of(tree, entry.name);
    if (at) {
        if (at->depth > entry.depth && at->age == entry.age) return;
    } else {
        Entry *bucket = at = bucket_of(tree, entry.name);
        for (int i = 0; i < KEPT; i++) {
            if (!bucket[i].used) { at = bucket + i; break; }
            if (bucket[i].age < at->age || (bucket[i].age == at->age && bucket[i].depth < at->depth)) at = bucket + i;
        }
    }
    *at = entry;
}

static void one_more(Tree *tree) {
    if (tree->nodes >= tree->most) longjmp(tree->stop, 1);
    tree->nodes++;
}

static void begin_path(Tree *tree, u64 name) { tree->path[tree->named++] = name, tree->filter[name % FILTER]++; }
static void end_path(Tree *tree) { tree->filter[tree->path[--tree->named] % FILTER]--; }

static int came(const Tree *tree, u64 name) {
    if (tree->filter[name % FILTER])
        for (int i = tree->named - 1; i >= 0; i--)
            if (tree->path[i] == name) return 1;
    return 0;
}

static int reduction(const Tree *tree, int move, int index) {
    if (index < tree->settings[LATE] || !quiet(move)) return 0;
    return index < tree->settings[LATER] ? 1 : 2;
}

static int node(Tree *tree, const Position *at, int depth, int alpha, int beta, int ply) {
    int floor = alpha, horizon_before = tree->horizon, repeated_before = tree->repeated, mover = at->mover;
    int drawn = mover == tree->player ? tree->draws[0] : -tree->draws[0], first = -1;

    /* 1. What the table knows. */
    Entry *entry = entry_of(tree, at->name);
    if (entry) {
        int score = entry->score;
        first = entry->move;
        if (entry->depth >= depth && ply && entry->age == tree->age) {
            if (score > DECIDED) score -= ply;
            else if (score < -DECIDED) score += ply;
            if (entry->bound == EXACT || (entry->bound == LOWER ? score >= beta : score <= alpha)) {
                if (entry->depth != SOLVED) tree->horizon++;
                return score;
            }
        }
    }

    /* 2. From here on this position is one that must not come again. */
    begin_path(tree, without_plies(at));
    int moves[MOST_MOVES], many, staged = 0, skip = -1, best = -INFINITE, choice = -1, tried = 0, upper = beta;
    if (!ply) memcpy(moves, tree->order, (many = tree->many) * sizeof *moves);
    else if (first >= 0) moves[0] = first, many = staged = 1;
    else many = arranged(tree, at, depth, moves);

    while (1) {
        for (int i = 0; i < many; i++) {
            Side sides[2];
            int move = moves[i], score, certain = 1;
            if (move == skip) continue;

            /* 3. Every child counts as a node.  4. Its value. */
            one_more(tree);
            Position child = play(at, move, sides);
            if (came(tree, without_plies(&child))) {
                tree->repeated++;
                score = drawn;
            } else if (depth > 1) {
                int less = 0;
                certain = 0;
                if (tried) {
                    less = reduction(tree, move, tried);
                    if (less > depth - 2) less = depth - 2;
                }
                tried++;
                score = -node(tree, &child, depth - 1 - less, -upper, -alpha, ply + 1);
                if (less && score > alpha) {
                    one_more(tree);
                    score = -node(tree, &child, depth - 1, -upper, -alpha, ply + 1);
                }
            } else score = -standing(tree, &child, ply + 1);

            if (score > best) {
                /* 5. Better than the narrow window could say: look with the whole one. */
                if (alpha < score && score < beta && upper < beta && !certain) {
                    int kept = tree->move, kept_score = tree->score;
                    if (!ply) tree->move = move, tree->score = score;
                    one_more(tree);
                    score = -node(tree, &child, depth - 1, -beta, -alpha, ply + 1);
                    if (score <= alpha) {
                        if (!ply) tree->move = kept, tree->score = kept_score;
                        if (score <= best) continue;
                    }
                }
                best = score, choice = move;
                if (score > alpha) {
                    alpha = score;
                    /* 6. At the root the move is chosen, even if the iteration is broken off. */
                    if (!ply) {
                        int at = 0;
                        tree->move = move, tree->score = score;
                        while (tree->order[at] != move) at++;
                        memmove(tree->order + 1, tree->order, at * sizeof *tree->order);
                        tree->order[0] = move;
                    }
                    if (score >= beta) break;
                }
                upper = alpha + 1;
            }
        }
        if (!staged || (best >= beta && choice >= 0)) break;
        staged = 0, skip = first;
        many = arranged(tree, at, depth, moves);
    }
    end_path(tree);

    /* 7. No move: the game is over. */
    if (choice < 0) return standing(tree, at, ply);

    /* 8. What cut off here is tried early elsewhere. */
    if (best >= beta && quiet(choice)) {
        int *killers = tree->killers[depth];
        if (!tree->history[mover][choice]) tree->taught[mover][tree->lessons[mover]++] = choice;
        tree->history[mover][choice] += depth * depth;
        if (choice != killers[0]) killers[1] = killers[0], killers[0] = choice;
    }

    /* 9. Remember it. */
    if (depth == 1) tree->horizon++;
    int bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER, score = best;
    if (score > DECIDED) score += ply;
    else if (score < -DECIDED) score -= ply;
    if (tree->repeated != repeated_before && (best == drawn || best == -drawn)) depth = -1;
    else if (tree->horizon == horizon_before && tree->repeated == repeated_before) depth = SOLVED;
    keep(tree, (Entry){at->name, score, choice, depth, bound, 1, tree->age});
    return best;
}

/* The best move of a position that is not finished: no deeper look begins after half of `soft` nodes, and all ends
   at `hard`.  The names of `seen` must not come again. */
static void best_move(Tree *tree, const Position *root, const u64 *seen, int many, double soft, i64 hard) {
    Found found;
    candidates(tree, root, &found);
    int *order = tree->order;
    memcpy(order, found.loud, found.louds * sizeof *order);
    memcpy(order + found.louds, found.quiet, found.quiets * sizeof *order);
    memcpy(order + found.louds + found.quiets, found.bad, found.bads * sizeof *order);
    tree->many = found.louds + found.quiets + found.bads;
    if (!tree->many) tree->many = legal(root, order);
    tree->move = order[0];
    tree->score = tree->depth = 0;
    tree->nodes = 0;
    if (tree->many == 1) return;
    if (tree->known != many || memcmp(tree->told, seen, many * sizeof *seen)) {
        tree->known = many, tree->age++;
        memcpy(tree->told, seen, many * sizeof *seen);
    }
    tree->player = root->mover;
    tree->most = hard;
    tree->horizon = tree->repeated = 0;
    tree->named = 0;
    memset(tree->filter, 0, sizeof tree->filter);
    for (int i = 0; i < many; i++) begin_path(tree, seen[i]);
    memset(tree->killers, 0, sizeof tree->killers);
    for (int mover = 0; mover < 2; mover++) {
        int *taught = tree->taught[mover], left = 0;
        for (int i = 0; i < tree->lessons[mover]; i++)
            if (tree->history[mover][taught[i]] /= 2) taught[left++] = taught[i];
        tree->lessons[mover] = left;
    }
    if (setjmp(tree->stop)) return;
    int last = 0;
    while (tree->depth < DEEPEST) {
        int depth = tree->depth + 1, width = tree->settings[ASPIRATION], score, before;
        int low = depth == 1 ? -UNBOUNDED : last - width, high = depth == 1 ? UNBOUNDED : last + width;
        while (1) {
            before = tree->horizon;
            one_more(tree);
            score = node(tree, root, depth, low, high, 0);
            width *= 4;
            if (score <= low) low = score - width;
            else if (score >= high) high = score + width;
            else break;
        }
        tree->depth = depth;
        last = tree->score;
        if (tree->horizon == before || WIN - abs(score) <= depth || tree->nodes >= soft / 2) break;
    }
}

/* --- what Python calls --- */

void begin(const u64 *king, const u64 *targets, const u64 *areas, const u64 *numbers) {
    memcpy(KING, king, sizeof KING);
    memcpy(TARGETS, targets, sizeof TARGETS);
    memcpy(AREA, areas, sizeof AREA);
    memcpy(NUMBER, numbers, sizeof NUMBER);
    for (int height = 1; height <= MOST; height++)
        for (int distance = 1; distance < 8; distance++) {
            int into[MOST], many = split(height, distance, into);
            SPLITS[height][distance][0] = many;
            for (int i = 0; i < many; i++) SPLITS[height][distance][i + 1] = into[i];
        }
    remembered = calloc(CACHED, sizeof *remembered);
}

void tree_forget(Tree *tree) {
    memset(tree->table, 0, tree->places * sizeof(Entry));
    for (int mover = 0; mover < 2; mover++) {
        memset(tree->history[mover], 0, LOUD * sizeof(int));
        tree->lessons[mover] = 0;
    }
    tree->age = tree->known = 0;
}

void *tree_new(const int *settings, int places, const double *numbers) {
    Tree *tree = calloc(1, sizeof *tree);
    tree->places = places;
    memcpy(tree->settings, settings, sizeof tree->settings);
    memcpy(&tree->evaluation, numbers, sizeof tree->evaluation);
    for (int other = 0; other < 2; other++) {
        tree->draws[other] = (int)tree->evaluation.tables[other][0][0];
        tree->dead[other] = (int)(tree->draws[other] * (1 - 1.0 / MOST));
    }
    tree->table = calloc(places, sizeof(Entry));
    for (int mover = 0; mover < 2; mover++) {
        tree->history[mover] = calloc(LOUD, sizeof(int));
        tree->taught[mover] = calloc(LOUD, sizeof(int));
    }
    return tree;
}

void tree_free(Tree *tree) {
    free(tree->table); free(tree->history[0]); free(tree->history[1]);
    free(tree->taught[0]); free(tree->taught[1]); free(tree);
}

static Position put_together(int mover, const u64 *mine, const u64 *theirs, int plies, Side *sides) {
    side_of(sides, mine);
    side_of(sides + 1, theirs);
    return (Position){mover, sides, sides + 1, plies, named(mover, sides, sides + 1, plies)};
}

/* The move after so many nodes, as (move, score, depth, nodes). */
void search(Tree *tree, int mover, const u64 *mine, const u64 *theirs, int plies, const u64 *seen, int many, i64 nodes,
            i64 *out) {
    Side sides[2];
    Position root = put_together(mover, mine, theirs, plies, sides);
    best_move(tree, &root, seen, many, INFINITY, nodes);
    out[0] = tree->move, out[1] = tree->score, out[2] = tree->depth, out[3] = tree->nodes;
}

/* The nodes of a player in a game: so many a move, or so many for the game, shared out as shared/clock.py does with
   seconds. */
typedef struct { double game, turns, least, share, none, a_token; i64 move; } Limits;

static void shared_out(const Limits *of, double used, int played, int tokens, double *soft, i64 *hard) {
    double left = of->game - used, to_come = of->turns + 1 - played, later = of->least + of->share * played;
    if (to_come < later) to_come = later;
    if (of->a_token) {
        double by = of->none + of->a_token * tokens;
        to_come = by;
    }
    if (to_come < 1) to_come = 1;
    *soft = left / to_come;
    double most = *soft > left / 4 ? *soft : left / 4;
    *hard = (i64)(most < 3 * *soft ? most : 3 * *soft);
    if (*hard < 1) *hard = 1;
}

/* A game from a position, white by trees[0]: 2 if white wins it, 1 for a draw, 0.  One token against one is a draw, as
   is what is not decided after `longest` plies; who sees himself ahead by `judged` points has won, if the other has
   just said the same.  out: the plies at the end, and the nodes of each. */
int game(Tree **trees, const Limits *limits, int judged, int longest, int mover, const u64 *mine, const u64 *theirs, int plies, i64 *out) {
    static u64 distinct[LAST_PLY + 1];
    static int times[LAST_PLY + 1];
    Side kept[2][2];
    int many = 0, at_sides = 0, result = 1, played[2] = {0, 0}, said = 0;
    double used[2] = {0, 0};
    Position at = put_together(mover, mine, theirs, plies, kept[0]);
    tree_forget(trees[0]);
    tree_forget(trees[1]);
    while (1) {
        int m = at.mine->tokens, e = at.theirs->tokens, i = 0;
        if (!m || !e) { result = m == e ? 1 : (m != 0) == (at.mover == 0) ? 2 : 0; break; }
        if (at.plies >= longest || (m == 1 && e == 1)) break;
        u64 name = without_plies(&at);
        while (i < many && distinct[i] != name) i++;
        if (i < many && times[i] == 3) break;
        Tree *tree = trees[at.mover];
        const Limits *of = limits + at.mover;
        double soft = INFINITY;
        i64 hard = of->move;
        played[at.mover]++;
        if (of->game) shared_out(of, used[at.mover], played[at.mover], m + e, &soft, &hard);
        best_move(tree, &at, distinct, many, soft, hard);
        used[at.mover] += tree->nodes;
        if (tree->many > 1 && judged) {
            int score = at.mover ? -tree->score : tree->score;
            if (score > judged && said > judged) { result = 2; break; }
            if (score < -judged && said < -judged) { result = 0; break; }
            said = score;
        }
        if (i == many) distinct[many] = name, times[many++] = 1;
        else times[i]++;
        Side sides[2];
        Position after = play(&at, tree->move, sides);
        Side *next = kept[1 - at_sides];
        next[0] = *after.mine, next[1] = *after.theirs;
        after.mine = next, after.theirs = next + 1;
        at = after, at_sides = 1 - at_sides;
    }
    out[0] = at.plies, out[1] = (i64)used[0], out[2] = (i64)used[1];
    return result;
}
