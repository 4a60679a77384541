// A legal random player of Kalaha in Rust.
//
//   rustc -O random_kalaha.rs
//   referee play kalaha exec:./random_kalaha random

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

/// Each side's ponds, then its bank.
type Board = [Vec<usize>; 2];

/// What stands behind the key, up to the next quotation mark.
fn text<'a>(line: &'a str, key: &str) -> &'a str {
    let behind = line.split(&format!("\"{key}\": \"")).nth(1).unwrap_or("");
    behind.split('"').next().unwrap_or("")
}

fn begin(line: &str) -> Board {
    let size = text(line, "variant").split_once('x').unwrap_or(("6", "6")); // "4x3"; "" is 6x6
    let (ponds, pebbles): (usize, usize) = (size.0.parse().unwrap(), size.1.parse().unwrap());
    let mut side = vec![pebbles; ponds];
    side.push(0);
    [side.clone(), side]
}

fn choose(board: &Board, mine: usize) -> usize {
    let ponds = board[mine].len() - 1;
    let filled: Vec<usize> = (0..ponds).filter(|&place| board[mine][place] > 0).collect();
    let lot = RandomState::new().build_hasher().finish() as usize; // differs each time
    filled[lot % filled.len()] + 1
}

fn sow(board: &mut Board, mover: usize, pond: usize) {
    let bank = board[0].len() - 1;
    let (mut side, mut place) = (mover, pond - 1);
    let left = std::mem::take(&mut board[mover][place]);
    for _ in 0..left {
        place += 1;
        if place > bank || (place == bank && side != mover) {
            (side, place) = (1 - side, 0);
        }
        board[side][place] += 1;
    }
    if side == mover && place < bank && board[side][place] == 1 && board[1 - side][bank - 1 - place] > 0 {
        let taken = std::mem::take(&mut board[1 - side][bank - 1 - place]);
        board[side][bank] += taken + 1;
        board[side][place] = 0;
    }
}

fn main() {
    let (mut board, mut mine) = ([vec![], vec![]], 0);
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let reply = if line.starts_with("[\"new\"") {
            board = begin(&line);
            mine = usize::from(text(&line, "colour") == "B");
            "[\"ok\"]".to_string()
        } else if line.starts_with("[\"action\"") {
            format!("[\"action\", {}]", choose(&board, mine))
        } else if line.starts_with("[\"update\"") {
            let digits: String = line.chars().filter(char::is_ascii_digit).collect();
            sow(&mut board, usize::from(line.contains("[\"B\"")), digits.parse().unwrap());
            "[\"ok\"]".to_string()
        } else {
            continue;
        };
        println!("{reply}");
        io::stdout().flush().unwrap();
    }
}
