<?php
// Signs a request with RSA: SHA256withRSA (PKCS#1 v1.5, base64) over every field that has a value, except `sign`.
declare(strict_types=1);

const JSON_AS_IS = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_LINE_TERMINATORS;

function rsa_string(array $body): string
{
    // The escaped form: nothing that a payer types can be read as another field.
    ksort($body, SORT_STRING);
    $fields = [];
    foreach ($body as $name => $value) {
        if ($name === 'sign' || $value === null || $value === '') {
            continue;
        }
        $text = is_string($value) ? $value : sorted_json($value);
        $fields[] = $name . '=' . str_replace(['%', '&'], ['%25', '%26'], $text);
    }
    return 'escaped&' . implode('&', $fields);
}

// Keys sorted at every level, no white space. Write an empty object as `new stdClass`: [] is a list.
function sorted_json(mixed $value): string
{
    if (is_array($value) && array_is_list($value)) {
        return '[' . implode(',', array_map('sorted_json', $value)) . ']';
    }
    if (!is_array($value) && !is_object($value)) {
        return json_encode($value, JSON_AS_IS | JSON_THROW_ON_ERROR);
    }
    $members = (array) $value;
    ksort($members, SORT_STRING);
    $written = [];
    foreach ($members as $name => $member) {
        $written[] = sorted_json((string) $name) . ':' . sorted_json($member);
    }
    return '{' . implode(',', $written) . '}';
}

function rsa_sign(array $body, ?string $privateKey): string
{
    if (!@openssl_sign(rsa_string($body), $signature, $privateKey ?? '', OPENSSL_ALGO_SHA256)) {
        throw new RuntimeException('the private key cannot be used: it must be PEM');
    }
    return base64_encode($signature);
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $payment = [
        'merNo' => (int) getenv('TOLLGATE_MERNO'),
        'merOrderNo' => 'order-1',
        'currencyCode' => 'USD',
        'sourceAmount' => '12.34',
        'returnUrl' => 'https://shop.example/thanks?a=1&b=2',
        'productInfoList' => [['sku' => 'A-1', 'productName' => 'Scarf', 'price' => '12.34', 'quantity' => '1']],
    ];
    echo rsa_string($payment), "\n";
    // Send this as `sign`.
    echo rsa_sign($payment, (string) @file_get_contents((string) getenv('TOLLGATE_PRIVATE_KEY'))), "\n";
}
