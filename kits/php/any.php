<?php

// Play every game: any of the legal actions.

declare(strict_types=1);

require __DIR__ . '/ludus_bot.php';

// Draw the same in every game of one seed.
$start = function (array $game): void {
    mt_srand(crc32((string) $game['seed']));
};

$choose = function (array $game, array $view, array $legal): string {
    return $legal[mt_rand(0, count($legal) - 1)];
};

run('any', $choose, $start);
