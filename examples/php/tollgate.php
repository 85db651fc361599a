<?php
// Signs and sends a request, and returns the `data` of the answer.
declare(strict_types=1);

require_once __DIR__ . '/sign.php';

function call(string $path, array $body): array
{
    $body = ['merNo' => (int) getenv('TOLLGATE_MERNO'), 'version' => 'V3.0.0', ...$body];
    $body['sign'] = md5_sign($path, $body, setting('TOLLGATE_KEY'));
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Content-Type: application/json',
            // Payments and payouts need the website that is registered for the merchant.
            'Referer: https://' . getenv('TOLLGATE_SITE') . '/',
        ],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 60,
        'follow_location' => 0,
        'ignore_errors' => true, // a refusal has a body, too
    ]]);
    $text = file_get_contents(getenv('TOLLGATE_URL') . $path, false, $context);
    if ($text === false) {
        throw new RuntimeException('no answer: ask for the order by its number before you try again');
    }
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if ($answer['code'] !== '00000') {
        throw new RuntimeException("{$answer['code']} {$answer['message']}");
    }
    return $answer['data'];
}
