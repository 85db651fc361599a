<?php
// Opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';

$order = call('/cashier/checkStandPay', [
    'merOrderNo' => uniqid('order-'),
    'currencyCode' => 'EUR',
    'sourceAmount' => '24.00',
    'returnUrl' => 'https://shop.example/thanks',
    'notifyUrl' => (string) getenv('TOLLGATE_NOTIFY_URL'),
    'ipAddress' => '203.0.113.7',
    'productInfoList' => [['sku' => 'A-1', 'productName' => 'Scarf', 'price' => '24.00', 'quantity' => '1']],
]);

echo $order['payUrl'], "\n";
