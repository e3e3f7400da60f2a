<?php

// Speak the wire protocol of Ludus: one JSON object a line, questions on stdin, answers on stdout.

declare(strict_types=1);

// What a bot echoes, and what PHP complains of, must not get between the answers.
ini_set('display_errors', 'stderr');
ob_start(function (string $text): string {
    fwrite(STDERR, $text);
    return '';
}, 1);

/**
 * Play until stdin closes.
 *
 * $choose($game, $view, $legal) returns one of the legal actions (its text), or an array of them for a whole turn.
 * $game is the hello message of this game; $game['act'] is the message that asks, with the clock. $start($game) is called
 * at each hello. Objects come as arrays with keys.
 */
function run(string $name, callable $choose, ?callable $start = null): void
{
    $send = function (array $message): void {
        fwrite(STDOUT, json_encode($message, JSON_THROW_ON_ERROR) . "\n");
    };
    $game = [];
    while (($line = fgets(STDIN)) !== false) {
        $message = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
        $kind = $message['type'] ?? '';
        if ($kind === 'hello') {
            $game = $message;
            if ($start !== null) {
                $start($game);
            }
            $send(['type' => 'ready', 'name' => $name, 'version' => '1']);
        } elseif ($kind === 'act') {
            $game['act'] = $message;
            $chosen = $choose($game, $message['view'], $message['legal']);
            $send([is_array($chosen) ? 'actions' : 'action' => $chosen]);
        }
        // Every other message, end among them, is news that needs no answer.
    }
}
