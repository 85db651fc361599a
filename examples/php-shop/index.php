<?php
// A shop with one product: it opens a payment page, receives the notification and shows what became of the order.
declare(strict_types=1);

require __DIR__ . '/tollgate.php';
require __DIR__ . '/orders.php';
require __DIR__ . '/page.php';

const PRICE = '24.00';
const CURRENCY = 'EUR';

/** The states of `/order/query` that are final; 1 is pending. */
const STATES = [2 => 'failed', 3 => 'paid'];

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/style.css') {
    return false; // PHP's own server sends the file
}
match ([$_SERVER['REQUEST_METHOD'], $path]) {
    ['GET', '/'] => show_product(),
    ['POST', '/buy'] => buy(),
    ['GET', '/order'] => show_order(),
    ['POST', '/notify'] => receive_notification(),
    default => show_page(404, 'There is no such page', '<p><a href="/">Go to the shop</a></p>'),
};

function show_product(): void
{
    $price = PRICE . ' ' . CURRENCY;
    show_page(200, 'Alpaca scarf', <<<HTML
        <p>Warm, light and one size for everybody.</p>
        <dl><dt>Price</dt><dd>$price</dd></dl>
        <form method="post" action="/buy"><button>Buy for $price</button></form>
        HTML);
}

/** The order is stored before the gateway gets it, so that its notification finds it. */
function buy(): void
{
    $order = new_order(PRICE, CURRENCY);
    $shop = setting('SHOP_URL');
    $answer = call_gateway('/cashier/checkStandPay', [
        'merOrderNo' => $order['number'],
        'currencyCode' => CURRENCY,
        'sourceAmount' => PRICE,
        'returnUrl' => "$shop/order?number=$order[number]",
        'notifyUrl' => "$shop/notify",
        'ipAddress' => $_SERVER['REMOTE_ADDR'],
        'productInfoList' => [['sku' => 'A-1', 'productName' => 'Alpaca scarf', 'price' => PRICE, 'quantity' => '1']],
    ]);
    $pay_url = $answer['data']['payUrl'] ?? null;
    if ($pay_url === null) {
        error_log('no payment page: ' . ($answer['message'] ?? 'the gateway did not answer'));
        // Nobody has seen a page for this number, so nobody can pay it: the next try is another order.
        show_page(503, 'Payment is not available', '<p>You were not charged. Please <a href="/">try again</a> in a minute.</p>');
        return;
    }
    header("Location: $pay_url", true, 303);
}

/** The payer returns here, perhaps before the notification came: while the order is open, the gateway is asked. */
function show_order(): void
{
    $number = is_string($_GET['number'] ?? null) ? $_GET['number'] : '';
    $order = find_order($number);
    if ($order === null) {
        show_page(404, 'There is no such order', '<p>Check the address, or <a href="/">go to the shop</a>.</p>');
        return;
    }
    if ($order['state'] === 'pending') {
        ask_gateway($number);
        $order = find_order($number);
    }
    [$title, $text] = match ($order['state']) {
        'paid' => ['Thank you', 'Your payment went through. We send the scarf today.'],
        'failed' => ['The payment did not go through', 'You were not charged. You may try again.'],
        default => ['We wait for your payment', 'It is safe to leave this page: the gateway notifies us of your payment in any case.'],
    };
    $facts = '<dl><dt>Order</dt><dd>' . h($number) . "</dd><dt>Amount</dt><dd>$order[amount] $order[currency]</dd></dl>";
    $again = $order['state'] === 'pending' ? '<p><a href="/order?number=' . h($number) . '">Look again</a></p>' : '';
    $back = '<p><a href="/">Back to the shop</a></p>';
    show_page(200, $title, "<p>$text</p>$facts$again$back");
}

function ask_gateway(string $number): void
{
    $answer = call_gateway('/order/query', ['merOrderNo' => $number, 'tradeNo' => '', 'queryType' => 'sales']);
    $state = STATES[$answer['data']['state'] ?? 1] ?? null;
    if ($state !== null) {
        record($number, $state);
    }
}

/** The signature covers the fields as they were sent. Only `SUCCESS` ends the deliveries; anything else repeats them. */
function receive_notification(): void
{
    header('Content-Type: text/plain; charset=utf-8');
    parse_str(file_get_contents('php://input', length: 65_536), $fields);
    if (!is_signed('payment', $fields)) {
        http_response_code(400);
        echo 'the signature does not match: check TOLLGATE_KEY';
        return;
    }
    if (find_order($fields['merOrderNo']) === null) {
        http_response_code(404);
        echo 'there is no such order';
        return;
    }
    record($fields['merOrderNo'], $fields['code'] === '0' ? 'paid' : 'failed');
    echo 'SUCCESS';
}

function record(string $number, string $state): void
{
    if (record_state($number, $state)) {
        error_log("order $number is paid: ship it");
    }
}
