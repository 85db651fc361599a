<?php
// What a shop needs of the merchant interface: signed calls, and the check of what the gateway sends.
declare(strict_types=1);

const SIGNED_FIELDS = [
    '/cashier/checkStandPay' => ['merNo', 'merOrderNo', 'currencyCode', 'sourceAmount'],
    '/order/query' => ['merNo', 'merOrderNo', 'tradeNo'],
];

function setting(string $name): string
{
    $value = getenv($name);
    if ($value === false || $value === '') {
        throw new RuntimeException("$name is not set: see the README");
    }
    return $value;
}

/** Anybody can sign with an empty key, so a key that is missing or short is an error. */
function merchant_key(): string
{
    $key = setting('TOLLGATE_KEY');
    if (strlen($key) < 16) {
        throw new RuntimeException('TOLLGATE_KEY is too short: see the README');
    }
    return $key;
}

/** The fields' values in their fixed order, then the key. */
function sign_request(string $path, array $fields): string
{
    $values = array_map(fn (string $name): string => (string) ($fields[$name] ?? ''), SIGNED_FIELDS[$path]);
    return strtoupper(md5(implode('', $values) . merchant_key()));
}

/**
 * The answer, or null if none came. Without an answer nobody knows what happened: ask by the order number, and never treat it
 * as failed.
 */
function call_gateway(string $path, array $fields): ?array
{
    $fields += ['merNo' => (int) setting('TOLLGATE_MERNO'), 'version' => 'V3.0.0'];
    $fields['sign'] = sign_request($path, $fields);
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', 'Referer: https://' . setting('TOLLGATE_SITE') . '/'],
        'content' => json_encode($fields, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'ignore_errors' => true, // an answer with status 503 has a code, too
        'follow_location' => 0,
    ]]);
    $text = @file_get_contents(setting('TOLLGATE_URL') . $path, false, $context);
    $answer = $text === false ? null : json_decode($text, true);
    return is_array($answer) ? $answer : null;
}

/** True if the gateway signed these fields for this purpose: `payment` for its notification, `return` for a returning payer. */
function is_signed(string $event, array $fields): bool
{
    $given = $fields['sign'] ?? '';
    unset($fields['sign']);
    if (!is_string($given) || array_filter($fields, 'is_array') !== []) {
        return false;
    }
    $fields = array_filter($fields, fn (string $value): bool => $value !== '');
    ksort($fields, SORT_STRING);
    $pairs = array_map(fn (string|int $name): string => "$name=$fields[$name]", array_keys($fields));
    $text = "event=$event&" . implode('&', $pairs) . merchant_key();
    return hash_equals(strtoupper(md5($text)), $given);
}
