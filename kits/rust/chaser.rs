//! Play Chase by looking ahead: the runner wants room, the chasers take it away.

mod ludus_bot;
use ludus_bot::{run, Bot, Json};

const STEPS: [(&str, i32, i32); 4] = [("up", 0, -1), ("down", 0, 1), ("left", -1, 0), ("right", 1, 0)];
const SEATS: [&str; 3] = ["runner", "chaser1", "chaser2"];
const CAUGHT: i32 = 1_000_000;
const FAR: i32 = 1_000; // no way leads there
const PLIES: i32 = 6; // moves that are looked ahead after the own one

/// The board of a game, its cells by number; what does not change in it is worked out once.
#[derive(Default)]
struct Chaser {
    steps: Vec<Vec<usize>>,  // from each cell where one can go; who can go nowhere stays
    distance: Vec<Vec<i32>>, // between any two cells
}

impl Bot for Chaser {
    fn start(&mut self, _game: &Json) {
        self.steps.clear(); // the walls come with the first view
    }

    fn choose(&mut self, _game: &Json, view: &Json, legal: &[String]) -> Json {
        let size = view["size"].number() as usize;
        if self.steps.is_empty() {
            self.look_at(size, view["walls"].list());
        }
        let cells = SEATS.map(|seat| number(&view["cells"][seat], size));
        let me = SEATS.iter().position(|seat| *seat == view["me"].text()).expect("no seat of Chase");
        let (mut best, mut low, mut high) = (&legal[0], -2 * CAUGHT, 2 * CAUGHT);
        for name in legal {
            let (_, x, y) = STEPS.iter().find(|step| step.0 == name).unwrap_or(&("stay", 0, 0));
            let mut next = cells;
            next[me] = (cells[me] as i32 + y * size as i32 + x) as usize;
            let value = self.value(next, (me + 1) % 3, PLIES, low, high);
            if me == 0 && value > low {
                (best, low) = (name, value);
            } else if me > 0 && value < high {
                (best, high) = (name, value);
            }
        }
        Json::Text(best.clone())
    }
}

/// Return the number of a cell that is given as [x, y].
fn number(cell: &Json, size: usize) -> usize {
    cell.list()[1].number() as usize * size + cell.list()[0].number() as usize
}

impl Chaser {
    /// Work out where steps lead, and all distances.
    fn look_at(&mut self, size: usize, walls: &[Json]) {
        let mut free = vec![true; size * size];
        for wall in walls {
            free[number(wall, size)] = false;
        }
        let inside = |at: i32| (0..size as i32).contains(&at);
        for cell in 0..size * size {
            let (x, y) = ((cell % size) as i32, (cell / size) as i32);
            let near = STEPS.iter().map(|(_, a, b)| (x + a, y + b)).filter(|(x, y)| inside(*x) && inside(*y));
            let cells = near.map(|(x, y)| y as usize * size + x as usize);
            let open: Vec<usize> = cells.filter(|cell| free[*cell]).collect();
            self.steps.push(if open.is_empty() { vec![cell] } else { open });
        }
        self.distance = (0..size * size).map(|cell| self.distances_from(cell)).collect();
    }

    /// Return how many steps each cell is away: a flood.
    fn distances_from(&self, start: usize) -> Vec<i32> {
        let mut distance = vec![FAR; self.steps.len()];
        let (mut queue, mut next) = (vec![start], 0);
        distance[start] = 0;
        while next < queue.len() {
            let here = queue[next];
            next += 1;
            for &cell in &self.steps[here] {
                if distance[cell] == FAR {
                    distance[cell] = distance[here] + 1;
                    queue.push(cell);
                }
            }
        }
        distance
    }

    /// Return what a position is worth to the runner after the best play of the next plies.
    fn value(&self, cells: [usize; 3], mover: usize, plies: i32, mut low: i32, mut high: i32) -> i32 {
        if cells[0] == cells[1] || cells[0] == cells[2] {
            return -CAUGHT - plies; // the later the better
        }
        if plies == 0 {
            return self.room(cells);
        }
        for &cell in &self.steps[cells[mover]] {
            let mut next = cells;
            next[mover] = cell;
            let value = self.value(next, (mover + 1) % 3, plies - 1, low, high);
            if mover == 0 {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        if mover == 0 { low } else { high }
    }

    /// Judge a position for the runner: the cells that it reaches first, and how far off the chasers are.
    fn room(&self, cells: [usize; 3]) -> i32 {
        let [mine, first, second] = cells.map(|cell| &self.distance[cell]);
        let room = (0..mine.len()).filter(|&k| mine[k] < first[k] && mine[k] < second[k]).count() as i32;
        let (one, two) = (mine[cells[1]], mine[cells[2]]);
        room + 4 * one.min(two) + one.max(two) + self.steps[cells[0]].len() as i32
    }
}

fn main() {
    run("chaser", &mut Chaser::default());
}
