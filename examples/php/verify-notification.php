<?php
// Receives notifications: php -S 127.0.0.1:PORT verify-notification.php. Verifies the raw body, then answers SUCCESS.
declare(strict_types=1);

require_once __DIR__ . '/sign.php';

const WEBHOOK_SECRET = '~^whsec_[A-Za-z0-9+/]{16,}={0,2}$~D';
const PUBLIC_KEY = '~^-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]{16,}-----END PUBLIC KEY-----\s*$~';

class NotOurs extends Exception
{
}

// Returns the event and its fields. Throws NotOurs if the gateway did not send it.
function verify(string $body, array $headers, array $secrets, int $now): array
{
    check_secrets($secrets);
    if ($secrets['webhookSecret'] !== null) {
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

// Null is a secret that is not used. An empty one is an error: anybody can sign with it.
function check_secrets(array $secrets): void
{
    if ($secrets['webhookSecret'] !== null) {
        check_key('TOLLGATE_WEBHOOK_SECRET', $secrets['webhookSecret'], WEBHOOK_SECRET);
    }
    if ($secrets['platformKey'] !== null) {
        check_key('TOLLGATE_PLATFORM_KEY', $secrets['platformKey'], PUBLIC_KEY);
    } else {
        check_key('TOLLGATE_KEY', $secrets['key']);
    }
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
    if ($secrets['platformKey'] !== null) {
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
    $platformKey = setting('TOLLGATE_PLATFORM_KEY');
    $secrets = [
        'key' => setting('TOLLGATE_KEY'),
        // Merchants with an RSA key: the gateway's key, from /keys/platform.pem.
        'platformKey' => $platformKey === null ? null : (string) @file_get_contents($platformKey),
        'webhookSecret' => setting('TOLLGATE_WEBHOOK_SECRET'),
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
    } catch (BadKey $reason) {
        error_log($reason->getMessage());
        http_response_code(500);
    }
}
