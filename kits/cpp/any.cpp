// Play every game: any of the legal actions.

#include <random>

#include "ludus_bot.hpp"

int main() {
    std::mt19937 random;
    // Draw the same in every game of one seed.
    const auto start = [&](const ludus::Json& game) { random.seed(std::hash<double>()(game["seed"].num)); };
    const auto choose = [&](const ludus::Json&, const ludus::Json&, const std::vector<std::string>& legal) {
        return legal[random() % legal.size()];
    };
    ludus::run("any", choose, start);
}
