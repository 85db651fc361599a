<?php
// Asks for an order by your number: php query.php ORDER. Prints 1 processing, 2 failed or 3 paid.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';

$order = call('/order/query', [
    'merOrderNo' => $argv[1],
    'tradeNo' => '', // not needed: after a lost answer you do not know it
    'operationType' => 'query',
    'queryType' => 'sales',
]);

echo $order['state'], "\n";
