<?php
// Takes a card payment. Prints its number, the gateway's number and payCode: 0 paid, 1 declined, 2 pending.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';

$payer = [
    'FirstName' => 'Example',
    'LastName' => 'Payer',
    'Address1' => '1 Example Street',
    'City' => 'Austin',
    'State' => 'TX',
    'Country' => 'US',
    'ZipCode' => '78701',
    'Phone' => '15125550100',
    'Email' => 'payer@example.com',
];
$address = [];
foreach ($payer as $name => $value) {
    $address["billing$name"] = $address["shipping$name"] = $value;
}

// If no answer comes, do not pay again: ask for the order by its number (query.php).
$order = call('/payment', [
    'merOrderNo' => uniqid('order-'), // your own number, a new one for each order
    'currencyCode' => 'USD',
    'sourceAmount' => '12.34', // a text with two decimals, not a number
    'returnUrl' => 'https://shop.example/thanks',
    'notifyUrl' => (string) getenv('TOLLGATE_NOTIFY_URL'),
    'cardNo' => '4242424242424242',
    'cardExpireMonth' => '12',
    'cardExpireYear' => '2030',
    'cardSecurityCode' => '123',
    ...$address,
    'userAgent' => 'Mozilla/5.0', // the payer's browser and address
    'ipAddress' => '203.0.113.7',
    'productInfoList' => [['sku' => 'A-1', 'productName' => 'Scarf', 'price' => '12.34', 'quantity' => '1']],
]);

// With payCode 2 and a payUrl, send the payer there: the bank asks for a code.
echo "{$order['merOrderNo']} {$order['tradeNo']} {$order['payCode']}\n";
