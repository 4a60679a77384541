/* The agent's search once more, ten times as fast and more: see engine.py.

   Points, moves and scores are those of position.py and tree.py; all numbers come from the Python modules.
   A search looks at the same nodes as tree.py's, as long as the table holds all that it is told. */

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { DIRECTIONS = 8, BITS = 50, MOST_MOVES = 1 << 13, HASHED = 1 << 14, ARENA = 1 << 18, DEEPEST = 64 };
enum { LAST_QUIET = 21, OVER = 22, EXACT = 0, LOWER = 1, UPPER = 2, SOLVED = 1000, LATEST = 8 };
enum { WIN = 1000000, DECIDED = WIN - 10000, INFINITE = WIN + 1, TABLE_WIN = WIN - 5000, TABLE_MAN = 300 };
enum { DRAWN_MAN = 3, RETURN = 4, KEPT = 4 };
enum { STORM, FORCED, CONTEMPT, NULL_FROM, NULL_LESS, NULL_SHARE, NULL_MEN, NULL_QUIET, SETTINGS };
enum { WON = 255, DRAWN = 128, MOST_TABLED = 5 };
#define UNBOUNDED (1 << 28)

static const int STEP[DIRECTIONS] = {-11, -10, -9, -1, 1, 9, 10, 11};

typedef struct { u64 changed, taken; } Move;
typedef struct { int mover; u64 mine, theirs; int quiet; } Position;

static u64 BOARD, STRONG, INNER, ORIGINS[DIRECTIONS];
static int COLUMN_OF[BITS], IMAGE_OF[4][BITS];
static int CHOOSE[46][5];
static int less_of_paikas[DEEPEST][128], less_of_captures[DEEPEST][LATEST + 1];

static int count(u64 set) { return __builtin_popcountll(set); }
static int first_of(u64 set) { return __builtin_ctzll(set); }
static u64 shifted(u64 set, int by) { return by >= 0 ? set >> by : set << -by; } /* what is `by` further on */
static int same(Move a, Move b) { return a.changed == b.changed && a.taken == b.taken; }

/* --- what is known of endgames, and the evaluation --- */

typedef struct {
    const uint8_t *entries;           /* of this rule set, as in endgames.py; none: the tables are not used */
    int few_place[2][1000], few_image[2][1000];
    i64 begin[6][6], row[6][6];
} Endgames;

typedef struct { double quiet[46][8], loud[46][9]; int many; } Evaluation; /* the numbers of evaluate.py */

static int rank_of(u64 men, int image) {
    int points[4], many = 0, rank = 0;
    for (; men; men &= men - 1) {
        int point = IMAGE_OF[image][first_of(men)], at = many++;
        for (; at && points[at - 1] > point; at--) points[at] = points[at - 1];
        points[at] = point;
    }
    for (int i = 0; i < many; i++) rank += CHOOSE[points[i]][i + 1];
    return rank;
}

static int known(const Endgames *ends, u64 mine, u64 theirs) {
    int my_men = count(mine), their_men = count(theirs), fewer = my_men <= their_men;
    u64 few = fewer ? mine : theirs, many = fewer ? theirs : mine;
    int size = count(few), rank = rank_of(few, 0);
    int image = ends->few_image[size - 1][rank];
    i64 number = ends->begin[my_men][their_men] + ends->few_place[size - 1][rank] * ends->row[my_men][their_men];
    return ends->entries[number + rank_of(many, image)];
}

static void captures_of(u64 mine, u64 theirs, u64 *approaches, u64 *withdrawals, u64 *hops) {
    u64 free = BOARD ^ mine ^ theirs;
    for (int d = 0; d < DIRECTIONS; d++) {
        u64 movers = mine & ORIGINS[d] & shifted(free, STEP[d]);
        hops[d] = movers;
        approaches[d] = movers & shifted(theirs, 2 * STEP[d]);
        withdrawals[d] = movers & shifted(theirs, -STEP[d]);
    }
}

static double middle(u64 men, int of) {
    int sum = 0;
    for (; men; men &= men - 1) sum += COLUMN_OF[first_of(men)];
    return (double)sum / of;
}

/* What evaluate.py says of a position without a known result, and with how many hops the mover can capture. */
static int valued(const Evaluation *of, u64 mine, u64 theirs, int *can_capture) {
    u64 hops[DIRECTIONS], approaches[DIRECTIONS], withdrawals[DIRECTIONS];
    int my_men = count(mine), their_men = count(theirs), men = my_men + their_men;
    int my_lines = 0, their_lines = 0, mine_take = 0, they_take = 0;
    captures_of(mine, theirs, approaches, withdrawals, hops);
    for (int d = 0; d < DIRECTIONS; d++)
        my_lines += count(hops[d]), mine_take += count(approaches[d] | withdrawals[d]);
    captures_of(theirs, mine, approaches, withdrawals, hops);
    for (int d = 0; d < DIRECTIONS; d++)
        their_lines += count(hops[d]), they_take += count(approaches[d] | withdrawals[d]);
    *can_capture = mine_take;
    if (!my_lines) return -WIN;
    const double *by = mine_take ? of->loud[men] : of->quiet[men];
    double score = by[0] * (my_men - their_men) + by[1] * (my_lines - their_lines)
                   + by[2] * ((double)my_lines / my_men - (double)their_lines / their_men)
                   + by[3] * (count(mine & INNER) - count(theirs & INNER))
                   + by[4] * (count(mine & STRONG) - count(theirs & STRONG)) + by[5] * they_take
                   + (mine_take ? by[6] + by[8] * mine_take : by[6]);
    if (my_men != their_men && men < of->many) {
        double columns = fabs(middle(mine, my_men) - middle(theirs, their_men));
        score += my_men > their_men ? by[7] * columns : -by[7] * columns;
    }
    int found = (int)score;
    return found ? found : 1;
}

/* --- turns --- */

typedef struct { u64 taken, left; int here, before; } Chain;

typedef struct {
    u64 mine, theirs, changed, taken;
    int score, depth, age;
    int8_t quiet, bound;
} Entry;

typedef struct {
    int settings[SETTINGS];
    int has_pass, age, places, draws[2], ended;
    Evaluation evaluation;
    const Endgames *ends;
    int *history[2];                  /* [point 4], by the lower point and the step of a paika */
    Entry *table;
    Move killers[DEEPEST][2];
    u64 path[256][2];
    int named;
    Move *arena;
    int used;
    u64 stamp, stamps[HASHED];
    int slots[HASHED];
    i64 nodes, most;
    int horizon, repeated;
    jmp_buf stop;
    Move move;
    int score, depth;
} Tree;

static u64 mixed(u64 a, u64 b) {
    u64 x = a * 0x9e3779b97f4a7c15ull ^ (b + 0x7f4a7c15) * 0xc2b2ae3d27d4eb4full;
    return x ^ x >> 29;
}

static void found(Tree *tree, Move move, int begin) {
    u64 at = mixed(move.changed, move.taken) >> 20 & (HASHED - 1);
    for (; tree->stamps[at] == tree->stamp; at = (at + 1) & (HASHED - 1))
        if (same(tree->arena[tree->slots[at]], move)) return;
    if (tree->used - begin >= MOST_MOVES || tree->used >= ARENA) abort();
    tree->stamps[at] = tree->stamp;
    tree->slots[at] = tree->used;
    tree->arena[tree->used++] = move;
}

static u64 run(u64 theirs, int point, int step) {
    u64 taken = 0;
    for (point += step; point >= 0 && point < BITS && theirs >> point & 1; point += step) taken |= 1ull << point;
    return taken;
}

static void follow(Tree *tree, int origin, int here, int direction, u64 mine, u64 theirs, u64 taken, int begin) {
    static Chain stack[1 << 16];
    int chains = 1;
    u64 others = mine & ~(1ull << origin);
    stack[0] = (Chain){taken, 1ull << origin | 1ull << here, here, direction};
    while (chains) {
        Chain at = stack[--chains];
        u64 remaining = theirs & ~at.taken, closed = others | remaining | at.left;
        int goes_on = 0;
        for (int d = 0; d < DIRECTIONS; d++) {
            int target = at.here + STEP[d];
            if (d == at.before || !(ORIGINS[d] >> at.here & 1) || closed >> target & 1) continue;
            for (int away = 0; away < 2; away++) {
                u64 more = away ? run(remaining, at.here, -STEP[d]) : run(remaining, target, STEP[d]);
                if (!more) continue;
                goes_on = 1;
                if (chains >= 1 << 16) abort();
                stack[chains++] = (Chain){at.taken | more, at.left | 1ull << target, target, d};
            }
        }
        if (tree->has_pass || !goes_on)
            found(tree, (Move){1ull << origin ^ 1ull << at.here, at.taken}, begin);
    }
}

/* The turns, in the order of position.py's, behind what the arena holds; how many there are. */
static int all_turns(Tree *tree, u64 mine, u64 theirs) {
    u64 hops[DIRECTIONS], approaches[DIRECTIONS], withdrawals[DIRECTIONS], any = 0;
    int begin = tree->used;
    captures_of(mine, theirs, approaches, withdrawals, hops);
    for (int d = 0; d < DIRECTIONS; d++) any |= approaches[d] | withdrawals[d];
    if (!any) {
        if (tree->used + 200 > ARENA) abort();
        for (int d = 0; d < DIRECTIONS; d++)
            for (u64 rest = hops[d]; rest; rest &= rest - 1) {
                int origin = first_of(rest);
                tree->arena[tree->used++] = (Move){1ull << origin | 1ull << (origin + STEP[d]), 0};
            }
        return tree->used - begin;
    }
    tree->stamp++;
    for (int away = 0; away < 2; away++)
        for (int d = 0; d < DIRECTIONS; d++)
            for (u64 rest = away ? withdrawals[d] : approaches[d]; rest; rest &= rest - 1) {
                int origin = first_of(rest), target = origin + STEP[d];
                u64 taken = away ? run(theirs, origin, -STEP[d]) : run(theirs, target, STEP[d]);
                follow(tree, origin, target, d, mine, theirs, taken, begin);
            }
    int turns = tree->used - begin;
    Move *moves = tree->arena + begin;
    if (turns > 1) {                  /* the biggest first, else in the order in which they were found */
        int sizes[24] = {0};
        if (tree->used + turns > ARENA) abort();
        Move *copy = tree->arena + tree->used;
        memcpy(copy, moves, turns * sizeof *moves);
        for (int i = 0; i < turns; i++) sizes[count(copy[i].taken)]++;
        for (int size = 22, at = 0; size >= 0; size--) { int here = at; at += sizes[size]; sizes[size] = here; }
        for (int i = 0; i < turns; i++) moves[sizes[count(copy[i].taken)]++] = copy[i];
    }
    return turns;
}

static int *taught(Tree *tree, int mover, Move move) {
    int low = first_of(move.changed), step = 63 - __builtin_clzll(move.changed) - low;
    return tree->history[mover] + 4 * low + (step == 1 ? 0 : step - 8);
}

static int ordered(Tree *tree, int mover, u64 mine, u64 theirs, int depth) {
    int begin = tree->used, turns = all_turns(tree, mine, theirs);
    Move *moves = tree->arena + begin;
    if (!turns || moves[0].taken) return turns;
    int worth[200];
    for (int i = 0; i < turns; i++) {
        Move move = moves[i];
        int is = *taught(tree, mover, move), at = i;
        for (; at && worth[at - 1] < is; at--) moves[at] = moves[at - 1], worth[at] = worth[at - 1];
        moves[at] = move, worth[at] = is;
    }
    for (int which = 1; which >= 0; which--) {
        Move killer = tree->killers[depth][which];
        if (!killer.changed) continue;
        for (int i = 0; i < turns; i++)
            if (same(moves[i], killer)) {
                memmove(moves + 1, moves, i * sizeof *moves);
                moves[0] = killer;
                break;
            }
    }
    return turns;
}

/* --- the search --- */
static Entry *entry_of(Tree *tree, u64 mine, u64 theirs, int quiet) {
    Entry *bucket = tree->table + (mixed(mine, theirs ^ (u64)quiet << 52) >> 16) % tree->places / KEPT * KEPT;
    for (int i = 0; i < KEPT; i++)
        if (bucket[i].mine == mine && bucket[i].theirs == theirs && bucket[i].quiet == quiet) return bucket + i;
    return NULL;
}

static void keep(Tree *tree, Entry entry) {
    Entry *at = entry_of(tree, entry.mine, entry.theirs, entry.quiet);
    if (at) {
        if (at->depth > entry.depth && at->age == entry.age) return;
    } else {
        Entry *bucket = tree->table
                        + (mixed(entry.mine, entry.theirs ^ (u64)entry.quiet << 52) >> 16) % tree->places / KEPT * KEPT;
        at = bucket;
        for (int i = 0; i < KEPT; i++) {
            if (!bucket[i].mine) { at = bucket + i; break; }
            if (2 * bucket[i].age + bucket[i].depth < 2 * at->age + at->depth) at = bucket + i;
        }
    }
    *at = entry;
}

static void one_more(Tree *tree) {
    if (tree->nodes >= tree->most) longjmp(tree->stop, 1);
    tree->nodes++;
}

static int tabled(Tree *tree, int mover, u64 mine, u64 theirs, int quiet) {
    int my_men = count(mine), their_men = count(theirs), can_capture;
    int most = tree->ends ? MOST_TABLED : 0;
    if (my_men + their_men > most || !my_men || !their_men || quiet >= LAST_QUIET) {
        if (quiet == OVER) return tree->draws[mover];
        if (!my_men) return -WIN;
        int value = their_men ? valued(&tree->evaluation, mine, theirs, &can_capture) : 0;
        if (value == -WIN) return -WIN;
        if (!their_men) {
            u64 hops[8], a[8], w[8], any = 0;
            captures_of(mine, theirs, a, w, hops);
            for (int d = 0; d < 8; d++) any |= hops[d];
            return any ? WIN : -WIN;
        }
        return quiet == LAST_QUIET ? tree->draws[mover] : value;
    }
    int value = known(tree->ends, mine, theirs), more = my_men - their_men;
    if (value > DRAWN && quiet + WON - value <= LAST_QUIET) return TABLE_WIN + TABLE_MAN * more - (WON - value);
    if (value < DRAWN && quiet + value <= LAST_QUIET) return value ? TABLE_MAN * more + value - TABLE_WIN : -WIN;
    return tree->draws[mover] + DRAWN_MAN * more;
}

static int leaf(Tree *tree, int mover, u64 mine, u64 theirs, int quiet, int alpha, int beta, int ply) {
    const int *set = tree->settings;
    int men = count(mine | theirs), can_capture, best;
    if (men <= (tree->ends ? MOST_TABLED : 0) || !theirs || quiet >= LAST_QUIET) {
        best = tabled(tree, mover, mine, theirs, quiet);
        if (!(-DECIDED < best && best < DECIDED)) best += best < 0 ? ply : -ply;
        return best;
    }
    best = valued(&tree->evaluation, mine, theirs, &can_capture);
    if (best == -WIN) return ply - WIN;
    if (can_capture && can_capture <= set[FORCED]) best = -INFINITE;
    else if (best >= beta || !can_capture) return best;
    if (best > alpha) alpha = best;
    int begin = tree->used, turns = all_turns(tree, mine, theirs);
    for (int i = 0; i < turns && i < set[STORM]; i++) {
        Move move = tree->arena[begin + i];
        one_more(tree);
        int score = -leaf(tree, 1 - mover, theirs ^ move.taken, mine ^ move.changed, 0, -beta, -alpha, ply + 1);
        if (score > best) {
            best = score;
            if (score > alpha) {
                if (score >= beta) break;
                alpha = score;
            }
        }
    }
    tree->used = begin;
    return best;
}

static int node(Tree *tree, int mover, u64 mine, u64 theirs, int quiet, int depth, int alpha, int beta, int ply,
                int passed) {
    const int *set = tree->settings;
    int narrow = beta - alpha == 1, men = count(mine | theirs);
    if (men <= tree->ended || quiet >= LAST_QUIET) return leaf(tree, mover, mine, theirs, quiet, alpha, beta, ply);
    int floor = alpha, horizon_before = tree->horizon, repeated_before = tree->repeated;
    Move first = {0, 0};
    Entry *entry = entry_of(tree, mine, theirs, quiet);
    if (entry) {
        int score = entry->score;
        first = (Move){entry->changed, entry->taken};
        if (entry->depth >= depth && entry->age == tree->age) {
            if (score > DECIDED) score -= ply;
            else if (score < -DECIDED) score += ply;
            if (entry->bound == EXACT || (entry->bound == LOWER ? score >= beta : score <= alpha)) {
                if (entry->depth != SOLVED) tree->horizon++;
                return score;
            }
        }
    }
    int has_first = entry != NULL;

    if (narrow && depth >= set[NULL_FROM] && men >= set[NULL_MEN] && quiet <= set[NULL_QUIET] && !passed) {
        int can_capture, score = valued(&tree->evaluation, mine, theirs, &can_capture);
        int calm = has_first ? !first.taken : !can_capture;
        if (calm && -DECIDED < alpha && beta < DECIDED && beta <= score && score < DECIDED) {
            one_more(tree);
            int rest = depth - 1 - set[NULL_LESS] - depth / set[NULL_SHARE];
            if (rest > 0) score = -node(tree, 1 - mover, theirs, mine, quiet + 1, rest, -beta, -alpha, ply + 1, 1);
            else score = -leaf(tree, 1 - mover, theirs, mine, quiet + 1, -beta, -alpha, ply + 1);
            if (score >= beta) {
                tree->horizon++;
                return score < DECIDED ? score : beta;
            }
        }
    }

    int named = tree->named;
    if (quiet && depth >= RETURN) {
        tree->path[tree->named][0] = mover ? theirs : mine;
        tree->path[tree->named++][1] = mover ? mine : theirs;
    }

    int best = -INFINITE, tried = 0, upper = beta, begin = tree->used, turns = 0, chosen = 0;
    Move choice = {0, 0};
    for (int i = has_first ? -1 : 0;; i++) {
        if (i == 0) turns = ordered(tree, mover, mine, theirs, depth);
        if (i >= turns && i >= 0) break;
        Move move = i < 0 ? first : tree->arena[begin + i];
        if (i >= 0 && has_first && same(move, first)) continue;
        one_more(tree);
        int certain = 0, score;
        u64 mine_after = mine ^ move.changed, theirs_after = theirs ^ move.taken;
        int quiet_after = move.taken ? 0 : quiet + 1;
        if (!move.taken && quiet >= RETURN) {
            u64 light = mover ? theirs : mine_after, dark = mover ? mine_after : theirs;
            for (int at = tree->named; at-- && !certain;)
                certain = tree->path[at][0] == light && tree->path[at][1] == dark;
        }
        if (certain) {
            tree->repeated++;
            score = tree->draws[mover];
        } else if (depth > 1) {
            int less = move.taken ? less_of_captures[depth][tried < LATEST ? tried : LATEST]
                                  : less_of_paikas[depth][tried];
            tried++;
            score = -node(tree, 1 - mover, theirs_after, mine_after, quiet_after, depth - 1 - less, -upper, -alpha,
                          ply + 1, 0);
            if (less && score > alpha) {
                one_more(tree);
                score = -node(tree, 1 - mover, theirs_after, mine_after, quiet_after, depth - 1, -upper, -alpha,
                              ply + 1, 0);
            }
        } else score = -leaf(tree, 1 - mover, theirs_after, mine_after, quiet_after, -upper, -alpha, ply + 1);

        if (score > best) {
            if (alpha < score && score < beta && upper < beta && !certain) {
                one_more(tree);
                if (depth > 1)
                    score = -node(tree, 1 - mover, theirs_after, mine_after, quiet_after, depth - 1, -beta, -alpha,
                                  ply + 1, 0);
                else score = -leaf(tree, 1 - mover, theirs_after, mine_after, quiet_after, -beta, -alpha, ply + 1);
                if (score <= best) continue;
            }
            best = score;
            choice = move;
            chosen = 1;
            if (score > alpha) {
                alpha = score;
                if (score >= beta) break;
            }
            upper = alpha + 1;
        }
    }
    tree->used = begin;
    tree->named = named;
    if (!chosen) return ply - WIN;

    if (best >= beta && !choice.taken) {
        *taught(tree, mover, choice) += depth * depth;
        if (!same(choice, tree->killers[depth][0])) {
            tree->killers[depth][1] = tree->killers[depth][0];
            tree->killers[depth][0] = choice;
        }
    }
    if (depth == 1) tree->horizon++;
    int bound = best >= beta ? LOWER : best > floor ? EXACT : UPPER, score = best;
    if (score > DECIDED) score += ply;
    else if (score < -DECIDED) score -= ply;
    if (tree->repeated != repeated_before && (best == tree->draws[0] || best == tree->draws[1])) depth = -1;
    else if (tree->horizon == horizon_before && tree->repeated == repeated_before) depth = SOLVED;
    keep(tree, (Entry){mine, theirs, choice.changed, choice.taken, score, depth, tree->age, quiet, bound});
    return best;
}

static int look(Tree *tree, const Position *root, Move *order, int turns, int depth, int alpha, int beta) {
    int best = -INFINITE, tried = 0, upper = beta, mover = root->mover;
    one_more(tree);
    Move again[MOST_MOVES];
    memcpy(again, order, turns * sizeof *order);
    for (int i = 0; i < turns; i++) {
        Move move = again[i];
        one_more(tree);
        u64 theirs = root->mine ^ move.changed, mine = root->theirs ^ move.taken;
        int quiet = move.taken ? 0 : root->quiet + 1, certain = 0, score;
        u64 light = mover ? mine : theirs, dark = mover ? theirs : mine;
        for (int at = tree->named; !move.taken && at-- && !certain;)
            certain = tree->path[at][0] == light && tree->path[at][1] == dark;
        if (certain) {
            tree->repeated++;
            score = tree->draws[mover];
        } else if (depth > 1) {
            int less = move.taken ? less_of_captures[depth][tried < LATEST ? tried : LATEST]
                                  : less_of_paikas[depth][tried];
            tried++;
            score = -node(tree, 1 - mover, mine, theirs, quiet, depth - 1 - less, -upper, -alpha, 1, 0);
            if (less && score > alpha) {
                one_more(tree);
                score = -node(tree, 1 - mover, mine, theirs, quiet, depth - 1, -upper, -alpha, 1, 0);
            }
        } else score = -leaf(tree, 1 - mover, mine, theirs, quiet, -upper, -alpha, 1);
        if (score > best) {
            if (alpha < score && score < beta && upper < beta && !certain) {
                Move kept = tree->move;
                int kept_score = tree->score;
                tree->move = move, tree->score = score;
                one_more(tree);
                if (depth > 1) score = -node(tree, 1 - mover, mine, theirs, quiet, depth - 1, -beta, -alpha, 1, 0);
                else score = -leaf(tree, 1 - mover, mine, theirs, quiet, -beta, -alpha, 1);
                if (score <= alpha) {
                    tree->move = kept, tree->score = kept_score;
                    if (score <= best) continue;
                }
            }
            best = score;
            if (score > alpha) {
                alpha = score;
                tree->move = move, tree->score = score;
                int at = 0;
                while (!same(order[at], move)) at++;
                memmove(order + 1, order, at * sizeof *order);
                order[0] = move;
                if (score >= beta) break;
            }
            upper = alpha + 1;
        }
    }
    return best;
}

/* The best turn of a position that is not finished, after so many nodes; `seen`: boards not to come again. */
static void best_turn(Tree *tree, const Position *root, int seen, u64 (*boards)[2], i64 nodes) {
    static Move order[MOST_MOVES];
    int men = count(root->mine | root->theirs), most = tree->ends ? MOST_TABLED : 0;
    tree->used = 0;
    int turns = all_turns(tree, root->mine, root->theirs);
    memcpy(order, tree->arena, turns * sizeof *order);
    tree->used = 0;
    tree->draws[root->mover] = -tree->settings[CONTEMPT];
    tree->draws[1 - root->mover] = tree->settings[CONTEMPT];
    tree->ended = men - 1 < most ? men - 1 : most;
    tree->move = order[0];
    tree->score = tree->depth = 0;
    tree->nodes = 0;
    if (turns == 1) return;
    tree->most = nodes;
    tree->horizon = tree->repeated = 0;
    tree->named = seen;
    memcpy(tree->path, boards, seen * sizeof *boards);
    memset(tree->killers, 0, sizeof tree->killers);
    for (int mover = 0; mover < 2; mover++)
        for (int i = 0; i < 4 * BITS; i++) tree->history[mover][i] /= 2;
    if (setjmp(tree->stop)) return;
    int deepest = men <= most ? 8 : 60, last = 0;
    while (tree->depth < deepest) {
        int depth = tree->depth + 1, width = 50, score, before;
        int low = depth == 1 ? -UNBOUNDED : last - width, high = depth == 1 ? UNBOUNDED : last + width;
        while (1) {
            tree->named = seen, tree->used = 0;
            before = tree->horizon;
            score = look(tree, root, order, turns, depth, low, high);
            width *= 4;
            if (score <= low) low = score - width;
            else if (score >= high) high = score + width;
            else break;
        }
        tree->depth = depth;
        last = tree->score;
        if ((tree->horizon == before && depth > 1) || WIN - abs(score) <= depth) break;
    }
}

/* --- what Python calls --- */

void begin(u64 board, u64 strong, u64 inner, const u64 *origins, const int *images, const int *reduced) {
    BOARD = board, STRONG = strong, INNER = inner;
    memcpy(ORIGINS, origins, sizeof ORIGINS);
    memcpy(IMAGE_OF, images, sizeof IMAGE_OF);
    for (int point = 0; point < BITS; point++) COLUMN_OF[point] = point % 10;
    for (int n = 0; n < 46; n++) {
        CHOOSE[n][0] = 1;
        for (int k = 1; k < 5; k++) CHOOSE[n][k] = n ? CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k] : 0;
    }
    for (int depth = 0; depth <= 60; depth++) {
        memcpy(less_of_paikas[depth], reduced + depth * (108 + LATEST + 1), 108 * sizeof(int));
        memcpy(less_of_captures[depth], reduced + depth * (108 + LATEST + 1) + 108, (LATEST + 1) * sizeof(int));
    }
}

void *endgames_new(const uint8_t *entries, const int *places, const int *images, const i64 *begin, const i64 *row) {
    Endgames *ends = calloc(1, sizeof *ends);
    ends->entries = entries;
    memcpy(ends->few_place, places, sizeof ends->few_place);
    memcpy(ends->few_image, images, sizeof ends->few_image);
    memcpy(ends->begin, begin, sizeof ends->begin);
    memcpy(ends->row, row, sizeof ends->row);
    return ends;
}

void *tree_new(int has_pass, const int *settings, int places, const double *quiet, const double *loud, int many,
               const Endgames *ends) {
    Tree *tree = calloc(1, sizeof *tree);
    tree->has_pass = has_pass, tree->places = places, tree->ends = ends;
    memcpy(tree->settings, settings, sizeof tree->settings);
    memcpy(tree->evaluation.quiet, quiet, sizeof tree->evaluation.quiet);
    memcpy(tree->evaluation.loud, loud, sizeof tree->evaluation.loud);
    tree->evaluation.many = many;
    tree->table = calloc(places, sizeof(Entry));
    tree->arena = malloc(ARENA * sizeof(Move));
    for (int mover = 0; mover < 2; mover++) tree->history[mover] = calloc(4 * BITS, sizeof(int));
    return tree;
}

void tree_free(Tree *tree) {
    free(tree->table); free(tree->arena); free(tree->history[0]); free(tree->history[1]); free(tree);
}

void tree_forget(Tree *tree) {
    memset(tree->table, 0, tree->places * sizeof(Entry));
    for (int mover = 0; mover < 2; mover++) memset(tree->history[mover], 0, 4 * BITS * sizeof(int));
    tree->age = 0;
}

/* The turn after so many nodes, as (changed, taken, score, depth, nodes). */
void search(Tree *tree, int mover, u64 mine, u64 theirs, int quiet, int seen, u64 (*boards)[2], i64 nodes, i64 *out) {
    Position root = {mover, mine, theirs, quiet};
    tree->age++;
    best_turn(tree, &root, seen, boards, nodes);
    out[0] = tree->move.changed, out[1] = tree->move.taken, out[2] = tree->score, out[3] = tree->depth;
    out[4] = tree->nodes;
}

/* A game from a position, light by trees[0]: 2 if light wins it, 1 for a draw, 0; by the tables from five men on. */
int game(Tree **trees, const i64 *nodes, Position at) {
    u64 boards[32][2];
    int seen = 0;
    const Endgames *ends = trees[0]->ends;
    tree_forget(trees[0]);
    tree_forget(trees[1]);
    while (1) {
        Tree *tree = trees[at.mover];
        int for_mover = at.mover ? 0 : 2;
        tree->used = 0;
        if (!at.theirs) return for_mover;
        if (!at.mine || !all_turns(tree, at.mine, at.theirs)) return 2 - for_mover;
        if (at.quiet == LAST_QUIET) return 1;
        if (count(at.mine | at.theirs) <= MOST_TABLED) {
            int value = known(ends, at.mine, at.theirs);
            if (value > DRAWN && at.quiet + WON - value <= LAST_QUIET) return for_mover;
            if (value < DRAWN && at.quiet + value <= LAST_QUIET) return 2 - for_mover;
            return 1;
        }
        tree->age++;
        best_turn(tree, &at, seen, boards, nodes[at.mover]);
        Move move = tree->move;
        u64 mine = at.theirs ^ move.taken, theirs = at.mine ^ move.changed;
        if (move.taken) seen = 0;
        else {
            u64 light = at.mover ? mine : theirs, dark = at.mover ? theirs : mine;
            for (int i = 0; i < seen; i++)
                if (boards[i][0] == light && boards[i][1] == dark) return 1;
            boards[seen][0] = light, boards[seen++][1] = dark;
        }
        at = (Position){1 - at.mover, mine, theirs, move.taken ? 0 : at.quiet + 1};
    }
}
