<?php
// Compares these samples with docs/vectors.json: php vectors.php FILE. Names what differs, and ends with 1.
declare(strict_types=1);

require __DIR__ . '/sign.php';
require __DIR__ . '/rsa-sign.php';
require __DIR__ . '/verify-notification.php';

$vectors = json_decode(file_get_contents($argv[1]), flags: JSON_THROW_ON_ERROR);
$keys = $vectors->keys;
$wrong = [];

function event_of(object $vector, object $keys): ?string
{
    $secrets = [
        'key' => $keys->merchantKey,
        'platformKey' => $vector->signedBy === 'rsa' ? $keys->platformPublicKey : null,
        'webhookSecret' => $keys->webhookSecret,
    ];
    try {
        return verify($vector->body, (array) $vector->headers, $secrets, $vector->at)[0];
    } catch (NotOurs) {
        return null;
    }
}

$check = function (object $vector, mixed $found, mixed $expected) use (&$wrong): void {
    if ($found !== $expected) {
        $wrong[] = $vector->name;
    }
};

foreach ($vectors->md5 as $one) {
    $body = (array) $one->body;
    $check($one, md5_string($one->path, $body), $one->string);
    $check($one, md5_sign($one->path, $body, $keys->merchantKey), $one->sign);
}
foreach ($vectors->rsa as $one) {
    $body = (array) $one->body;
    $check($one, rsa_string($body), $one->string);
    $check($one, rsa_sign($body, $keys->merchantPrivateKey), $one->sign);
}
foreach ($vectors->notifications as $one) {
    $check($one, event_of($one, $keys), $one->event);
}

if ($wrong !== []) {
    fwrite(STDERR, implode("\n", $wrong) . "\n");
    exit(1);
}
echo count([...$vectors->md5, ...$vectors->rsa, ...$vectors->notifications]), " vectors agree\n";
