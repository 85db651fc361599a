<?php
// Pays out to a Pix key. Prints your number, the gateway's number and payCode: 0 paid, 1 failed, 2 pending.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';

// In live, /payout accepts MD5 only from addresses on the merchant's list. Otherwise sign it with RSA.
$payout = call('/payout', [
    'merOrderNo' => uniqid('payout-'),
    'currencyCode' => 'BRL',
    'sourceAmount' => '5.00',
    'withdrawType' => '4', // Pix
    'cardNo' => '12ABC34501DE35', // the Pix key
    'benFirstName' => 'Example',
    'benLastName' => 'Payee',
    'notifyUrl' => (string) getenv('TOLLGATE_NOTIFY_URL'),
]);

echo "{$payout['merOrderNo']} {$payout['tradeNo']} {$payout['payCode']}\n";
