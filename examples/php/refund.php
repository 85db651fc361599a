<?php
// Refunds a payment: php refund.php ORDER TRADENO AMOUNT. Prints the number of the refund.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';

[, $order, $trade, $amount] = $argv;
$refund = call('/refund/apply', [
    'merOrderNo' => $order,
    'tradeNo' => $trade,
    'amount' => $amount,
    'operationType' => 'refund',
    // Your own number of this refund. Store it first: sent twice, it refunds once.
    'merRefundNo' => uniqid('refund-'),
]);

// It is accepted. Whether it succeeded is in the notification, and in a query with queryType `refund`.
echo $refund['refundNo'], "\n";
