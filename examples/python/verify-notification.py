"""Receives notifications: python3 verify-notification.py PORT. Verifies the raw body, then answers SUCCESS."""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl

from sign import check_key

WEBHOOK_SECRET = "whsec_[A-Za-z0-9+/]{16,}={0,2}"
PUBLIC_KEY = r"-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]{16,}-----END PUBLIC KEY-----\s*"


def verify(body, headers, secrets, now):
    """Returns the event and its fields. Raises a ValueError if the gateway did not send it."""
    check_secrets(secrets)
    if secrets["webhook_secret"] is not None:
        check_headers(body, headers, secrets["webhook_secret"], now)
    if body.startswith(b"{"):
        events, fields = ["refund", "chargeback"], json.loads(body)
    else:
        events, fields = ["payment", "payout", "review"], dict(parse_qsl(body.decode(), keep_blank_values=True))
    # The body does not name its event. The signed string does: the event that fits is the one.
    for event in events:
        if is_signed(signed_string(event, fields), str(fields.get("sign", "")), secrets):
            return event, fields
    raise ValueError("sign does not match")


def check_secrets(secrets):
    """None is a secret that is not used. An empty one is an error: anybody can sign with it."""
    if secrets["webhook_secret"] is not None:
        check_key("TOLLGATE_WEBHOOK_SECRET", secrets["webhook_secret"], WEBHOOK_SECRET)
    if secrets["platform_key"] is None:
        return check_key("TOLLGATE_KEY", secrets["key"])
    with open(secrets["platform_key"], encoding="utf-8") as file:
        check_key("TOLLGATE_PLATFORM_KEY", file.read(), PUBLIC_KEY)


def signed_string(event, fields):
    given = {name: value for name, value in fields.items() if name != "sign" and value not in (None, "")}
    return f"event={event}&" + "&".join(f"{name}={value}" for name, value in sorted(given.items()))


def is_signed(text, sign, secrets):
    if secrets["platform_key"] is not None:
        return is_signed_by_rsa(text, sign, secrets["platform_key"])
    expected = hashlib.md5((text + secrets["key"]).encode()).hexdigest().upper()
    return hmac.compare_digest(expected.encode(), sign.encode())


def is_signed_by_rsa(text, sign, platform_key_file):
    with tempfile.NamedTemporaryFile() as signature:
        signature.write(base64.b64decode(sign, validate=True))
        signature.flush()
        command = ["openssl", "dgst", "-sha256", "-verify", platform_key_file, "-signature", signature.name]
        return subprocess.run(command, input=text.encode(), capture_output=True).returncode == 0


def check_headers(body, headers, secret, now):
    """The headers of Standard Webhooks: a stranger cannot repeat an old request."""
    message_id, timestamp = headers.get("webhook-id") or "", headers.get("webhook-timestamp") or ""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    given = (headers.get("webhook-signature") or "").encode().split(b" ")
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise ValueError("webhook-signature does not match")
    if abs(now - int(timestamp)) > 300:
        raise ValueError("webhook-timestamp is not of the last five minutes")


class Receiver(BaseHTTPRequestHandler):
    secrets = {
        "key": os.environ.get("TOLLGATE_KEY"),
        # Merchants with an RSA key: the file with the gateway's key, from /keys/platform.pem.
        "platform_key": os.environ.get("TOLLGATE_PLATFORM_KEY"),
        "webhook_secret": os.environ.get("TOLLGATE_WEBHOOK_SECRET"),
    }

    def do_POST(self):
        body = self.rfile.read(min(int(self.headers["Content-Length"] or 0), 65536))
        try:
            event, fields = verify(body, self.headers, self.secrets, time.time())
        except ValueError as reason:
            return self.answer(400, str(reason))
        # Store the result under its webhook-id before you answer: deliveries may repeat.
        print(event, fields["tradeNo"], fields.get("code", fields.get("state")), flush=True)
        self.answer(200, "SUCCESS")

    def answer(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    check_secrets(Receiver.secrets)
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
