<?php
declare(strict_types=1);

/** Text between tags or in an attribute. */
function h(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

/** `$body` is HTML. */
function show_page(int $status, string $title, string $body): void
{
    http_response_code($status);
    header('Content-Type: text/html; charset=utf-8');
    // The form's answer leads to the gateway.
    $gateway = parse_url(setting('TOLLGATE_URL'));
    $origin = $gateway['scheme'] . '://' . $gateway['host'] . (isset($gateway['port']) ? ":$gateway[port]" : '');
    header("Content-Security-Policy: default-src 'none'; style-src 'self'; form-action 'self' $origin; base-uri 'none'");
    header('Cache-Control: no-store');
    $title = h($title);
    echo <<<HTML
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>$title</title>
        <link rel="stylesheet" href="/style.css">
        <main>
        <h1>$title</h1>
        $body
        </main>
        </html>
        HTML;
}
