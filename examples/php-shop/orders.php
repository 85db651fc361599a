<?php
// The shop's orders, a file each. A real shop has a database; what must stay is the rule of `record_state`.
declare(strict_types=1);

const NUMBER = '/^[0-9a-f]{24}$/';

function orders_folder(): string
{
    $folder = getenv('SHOP_ORDERS') ?: __DIR__ . '/data';
    if (!is_dir($folder)) {
        mkdir($folder, 0700, true);
    }
    return $folder;
}

function new_order(string $amount, string $currency): array
{
    $number = bin2hex(random_bytes(12));
    $order = ['number' => $number, 'amount' => $amount, 'currency' => $currency, 'state' => 'pending'];
    file_put_contents(orders_folder() . "/$number.json", json_encode($order), LOCK_EX);
    return $order;
}

function find_order(string $number): ?array
{
    $file = orders_folder() . "/$number.json";
    return preg_match(NUMBER, $number) === 1 && is_file($file) ? json_decode(file_get_contents($file), true) : null;
}

/**
 * Notification and returning payer may come at once, and notifications come again: under a lock, an order is paid once and stays
 * paid. A failed one may still be paid, because a transfer may come late. Returns whether this call made it paid: then ship.
 */
function record_state(string $number, string $state): bool
{
    $file = fopen(orders_folder() . "/$number.json", 'r+');
    flock($file, LOCK_EX);
    $order = json_decode(stream_get_contents($file), true);
    $changes = $order['state'] !== 'paid' && $order['state'] !== $state;
    if ($changes) {
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode(['state' => $state] + $order));
    }
    fclose($file);
    return $changes && $state === 'paid';
}
