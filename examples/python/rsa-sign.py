"""Signs a request with RSA: SHA256withRSA (PKCS#1 v1.5, base64) over every field that has a value, except `sign`."""

import base64
import json
import os
import subprocess


def rsa_string(body):
    # The escaped form: nothing that a payer types can be read as another field.
    fields = [
        f"{name}={escaped(text_of(value))}"
        for name, value in sorted(body.items())
        if name != "sign" and value not in (None, "")
    ]
    return "escaped&" + "&".join(fields)


def escaped(text):
    return text.replace("%", "%25").replace("&", "%26")


def text_of(value):
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def rsa_sign(body, private_key_file):
    # Python's standard library has no RSA, so openssl signs. The package `cryptography` needs no other program.
    command = ["openssl", "dgst", "-sha256", "-sign", private_key_file]
    signed = subprocess.run(command, input=rsa_string(body).encode(), stdout=subprocess.PIPE, check=True)
    return base64.b64encode(signed.stdout).decode()


if __name__ == "__main__":
    payment = {
        "merNo": int(os.environ["TOLLGATE_MERNO"]),
        "merOrderNo": "order-1",
        "currencyCode": "USD",
        "sourceAmount": "12.34",
        "returnUrl": "https://shop.example/thanks?a=1&b=2",
        "productInfoList": [{"sku": "A-1", "productName": "Scarf", "price": "12.34", "quantity": "1"}],
    }
    print(rsa_string(payment))
    # Send this as `sign`.
    print(rsa_sign(payment, os.environ["TOLLGATE_PRIVATE_KEY"]))
