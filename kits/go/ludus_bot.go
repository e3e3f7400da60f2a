// Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout.

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// Object is a JSON object: numbers are float64, lists []any, objects map[string]any.
type Object = map[string]any

// Bot plays. Choose returns one of the legal actions (its text), or a []string of them for a whole turn. The game is its
// hello message; game["act"] is the message that asks, with the clock. Start is called at each hello.
type Bot interface {
	Start(game Object)
	Choose(game, view Object, legal []string) any
}

// Run plays until stdin closes.
func Run(name string, bot Bot) {
	out := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // what a bot prints must not get between the answers
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	game := Object{}
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		message := Object{}
		check(err)
		check(json.Unmarshal(line, &message))
		switch message["type"] {
		case "hello":
			game = message
			bot.Start(game)
			check(out.Encode(Object{"type": "ready", "name": name, "version": "1"}))
		case "act":
			game["act"] = message
			legal := []string{}
			for _, action := range message["legal"].([]any) {
				legal = append(legal, action.(string))
			}
			chosen, key := bot.Choose(game, message["view"].(Object), legal), "action"
			if _, isTurn := chosen.([]string); isTurn {
				key = "actions"
			}
			check(out.Encode(Object{key: chosen}))
		}
		// Every other message, end among them, is news that needs no answer.
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
