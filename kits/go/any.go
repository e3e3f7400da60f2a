// Play every game: any of the legal actions.

package main

import (
	"math"
	"math/rand"
)

type anyAction struct {
	random *rand.Rand
}

// Start makes it draw the same in every game of one seed.
func (bot *anyAction) Start(game Object) {
	bot.random = rand.New(rand.NewSource(int64(math.Float64bits(game["seed"].(float64)))))
}

func (bot *anyAction) Choose(game, view Object, legal []string) any {
	return legal[bot.random.Intn(len(legal))]
}

func main() {
	Run("any", &anyAction{})
}
