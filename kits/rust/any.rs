//! Play every game: any of the legal actions.

mod ludus_bot;
use ludus_bot::{run, Bot, Json};

struct Any {
    state: u64,
}

impl Bot for Any {
    /// Draw the same in every game of one seed.
    fn start(&mut self, game: &Json) {
        self.state = game["seed"].number().to_bits() | 1;
    }

    fn choose(&mut self, _game: &Json, _view: &Json, legal: &[String]) -> Json {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Json::Text(legal[(self.state >> 33) as usize % legal.len()].clone())
    }
}

fn main() {
    run("any", &mut Any { state: 1 });
}
