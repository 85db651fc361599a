<?php
// Signs a request with MD5: the values of a few fields and the merchant key, with nothing in between.
declare(strict_types=1);

const ORDER = ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'];

// The fields that each endpoint signs, in this order.
const SIGNED = [
    '/payment' => ORDER,
    '/cashier/checkStand' => ORDER,
    '/cashier/checkStandPay' => ORDER,
    '/cashier/checkStandPayment' => ORDER,
    '/payout' => ORDER,
    '/order/query' => ['merNo', 'merOrderNo', 'tradeNo'],
    '/refund/apply' => ['merNo', 'merOrderNo', 'amount', 'tradeNo', 'merRefundNo'],
    '/balance/query' => ['merNo', 'version'],
    '/order/queryOrderList' => ['merNo'],
    '/order/queryAmount' => ['merNo'],
    '/file/upload' => ['type', 'merNo'],
    '/review/submit' => ['merNo', 'tradeNo'],
];

class BadKey extends Exception
{
}

// Anybody can sign with an empty key, so a key that is missing or short is an error.
function check_key(string $name, ?string $value, string $pattern = '/^.{16,}$/D'): void
{
    if (preg_match($pattern, $value ?? '') !== 1) {
        throw new BadKey("$name is missing or too short, or has another form");
    }
}

// Null if it is not set.
function setting(string $name): ?string
{
    $value = getenv($name);
    return $value === false ? null : $value;
}

function md5_string(string $path, array $body): string
{
    // Values exactly as they are sent; a field that is not sent counts as empty.
    return implode('', array_map(fn ($name) => $body[$name] ?? '', SIGNED[$path]));
}

function md5_sign(string $path, array $body, ?string $key): string
{
    check_key('TOLLGATE_KEY', $key);
    return strtoupper(md5(md5_string($path, $body) . $key));
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $payment = [
        'merNo' => (int) getenv('TOLLGATE_MERNO'),
        'merOrderNo' => 'order-1',
        'currencyCode' => 'USD',
        'sourceAmount' => '12.34',
    ];
    echo md5_string('/payment', $payment), "<KEY>\n";
    echo md5_sign('/payment', $payment, setting('TOLLGATE_KEY')), "\n";
}
