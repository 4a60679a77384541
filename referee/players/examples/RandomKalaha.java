// A legal random player of Kalaha in Java.
//
//   javac RandomKalaha.java
//   referee play kalaha "exec:java -XX:+UseSerialGC -cp . RandomKalaha" random

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class RandomKalaha {
    static final Pattern VARIANT = Pattern.compile("\"variant\": \"(\\d+)x(\\d+)\"");
    static final Pattern UPDATE = Pattern.compile("\\[\"update\", \\[\"(\\w)\", (\\d+)\\]\\]");

    static int ponds;
    static int[][] board;   // each side's ponds, then its bank

    static void begin(String line) {
        Matcher variant = VARIANT.matcher(line);   // "4x3"; "" is 6x6
        boolean found = variant.find();
        ponds = found ? Integer.parseInt(variant.group(1)) : 6;
        int pebbles = found ? Integer.parseInt(variant.group(2)) : 6;
        board = new int[2][ponds + 1];
        for (int side = 0; side < 2; side++)
            for (int place = 0; place < ponds; place++) board[side][place] = pebbles;
    }

    static int choose(int mine, Random lots) {
        while (true) {
            int place = lots.nextInt(ponds);
            if (board[mine][place] > 0) return place + 1;
        }
    }

    static void sow(int mover, int pond) {
        int side = mover, place = pond - 1, left = board[mover][place];
        board[mover][place] = 0;
        for (; left > 0; left--) {
            place++;
            if (place > ponds || place == ponds && side != mover) {
                side = 1 - side;
                place = 0;
            }
            board[side][place]++;
        }
        if (side != mover || place == ponds || board[side][place] != 1) return;
        int opposite = ponds - 1 - place, taken = board[1 - side][opposite];
        if (taken == 0) return;
        board[side][ponds] += taken + 1;
        board[side][place] = board[1 - side][opposite] = 0;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Random lots = new Random();
        int mine = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Matcher update = UPDATE.matcher(line);
            if (line.startsWith("[\"new\"")) {
                begin(line);
                mine = line.contains("\"colour\": \"A\"") ? 0 : 1;
                System.out.println("[\"ok\"]");   // println flushes System.out
            } else if (line.startsWith("[\"action\"")) {
                System.out.println("[\"action\", " + choose(mine, lots) + "]");
            } else if (update.matches()) {
                sow(update.group(1).equals("A") ? 0 : 1, Integer.parseInt(update.group(2)));
                System.out.println("[\"ok\"]");
            }
        }
    }
}
