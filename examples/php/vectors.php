<?php
// Compares these samples with docs/vectors.json: php vectors.php FILE. Names what differs, and ends with 1.
declare(strict_types=1);

require_once __DIR__ . '/sign.php';
require __DIR__ . '/rsa-sign.php';
require __DIR__ . '/verify-notification.php';

$vectors = json_decode(file_get_contents($argv[1]), flags: JSON_THROW_ON_ERROR);
$keys = $vectors->keys;
$wrong = [];

$usable = ['key' => $keys->merchantKey, 'platformKey' => null, 'webhookSecret' => $keys->webhookSecret];

function event_of(object $vector, array $secrets): ?string
{
    try {
        return verify($vector->body, (array) $vector->headers, $secrets, $vector->at)[0];
    } catch (NotOurs) {
        return null;
    }
}

function is_refused(callable $call, string $error): bool
{
    try {
        $call();
    } catch (Exception $reason) {
        return $reason instanceof $error;
    }
    return false;
}

function is_unusable(object $vector, array $usable): bool
{
    $value = $vector->value;
    if ($vector->key === 'merchantPrivateKey') {
        return is_refused(fn () => rsa_sign([], $value), RuntimeException::class);
    }
    $name = ['merchantKey' => 'key', 'platformPublicKey' => 'platformKey'][$vector->key] ?? $vector->key;
    $signs = $name === 'key' && !is_refused(fn () => md5_sign('/payment', [], $value), BadKey::class);
    return !$signs && is_refused(fn () => event_of($vector, [...$usable, $name => $value]), BadKey::class);
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
    $platformKey = $one->signedBy === 'rsa' ? $keys->platformPublicKey : null;
    $check($one, event_of($one, [...$usable, 'platformKey' => $platformKey]), $one->event);
}
foreach ($vectors->unusableKeys as $one) {
    $check($one, is_unusable($one, $usable), true);
}

if ($wrong !== []) {
    fwrite(STDERR, implode("\n", $wrong) . "\n");
    exit(1);
}
echo count([...$vectors->md5, ...$vectors->rsa, ...$vectors->notifications, ...$vectors->unusableKeys]), " vectors agree\n";
