<?php
// Receives notifications: php -S 127.0.0.1:PORT verify-notification.php. Verifies the raw body, then answers SUCCESS.
declare(strict_types=1);

class NotOurs extends Exception
{
}

// Returns the event and its fields. Throws NotOurs if the gateway did not send it.
function verify(string $body, array $headers, array $secrets, int $now): array
{
    if ($secrets['webhookSecret']) {
        check_headers($body, $headers, $secrets['webhookSecret'], $now);
    }
    if (str_starts_with($body, '{')) {
        $events = ['refund', 'chargeback'];
        $fields = json_decode($body, true) ?? throw new NotOurs('the body is not JSON');
    } else {
        $events = ['payment', 'payout', 'review'];
        parse_str($body, $fields);
    }
    $sign = $fields['sign'] ?? '';
    // The body does not name its event. The signed string does: the event that fits is the one.
    foreach ($events as $event) {
        if (is_string($sign) && is_signed(signed_string($event, $fields), $sign, $secrets)) {
            return [$event, $fields];
        }
    }
    throw new NotOurs('sign does not match');
}

function signed_string(string $event, array $fields): string
{
    ksort($fields, SORT_STRING);
    $pairs = [];
    foreach ($fields as $name => $value) {
        if ($name !== 'sign' && $value !== '' && is_scalar($value)) {
            $pairs[] = "$name=$value";
        }
    }
    return "event=$event&" . implode('&', $pairs);
}

function is_signed(string $text, string $sign, array $secrets): bool
{
    if ($secrets['platformKey']) {
        $signature = base64_decode($sign, true);
        return $signature !== false
            && openssl_verify($text, $signature, $secrets['platformKey'], OPENSSL_ALGO_SHA256) === 1;
    }
    return hash_equals(strtoupper(md5($text . $secrets['key'])), $sign);
}

// The headers of Standard Webhooks: a stranger cannot repeat an old request.
function check_headers(string $body, array $headers, string $secret, int $now): void
{
    [$id, $timestamp, $given] = array_map(
        fn ($name) => $headers["webhook-$name"] ?? '',
        ['id', 'timestamp', 'signature'],
    );
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $matching = array_filter(explode(' ', $given), fn ($one) => hash_equals($expected, $one));
    if ($matching === []) {
        throw new NotOurs('webhook-signature does not match');
    }
    if (abs($now - (int) $timestamp) > 300) {
        throw new NotOurs('webhook-timestamp is not of the last five minutes');
    }
}

if (PHP_SAPI === 'cli-server') {
    $platformKey = getenv('TOLLGATE_PLATFORM_KEY');
    $secrets = [
        'key' => getenv('TOLLGATE_KEY'),
        // Merchants with an RSA key: the gateway's key, from /keys/platform.pem.
        'platformKey' => $platformKey ? file_get_contents($platformKey) : null,
        'webhookSecret' => getenv('TOLLGATE_WEBHOOK_SECRET'),
    ];
    try {
        $headers = array_change_key_case(getallheaders());
        // The bytes as they arrived: $_POST is a copy that cannot be verified.
        [$event, $fields] = verify(file_get_contents('php://input'), $headers, $secrets, time());
        // Store the result under its webhook-id before you answer: deliveries may repeat.
        error_log("$event {$fields['tradeNo']} " . ($fields['code'] ?? $fields['state']));
        echo 'SUCCESS';
    } catch (NotOurs $reason) {
        http_response_code(400);
        echo $reason->getMessage();
    }
}
