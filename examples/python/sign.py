"""Signs a request with MD5: the values of a few fields and the merchant key, with nothing in between."""

import hashlib
import os
import re

ORDER = ["merNo", "merOrderNo", "currencyCode", "sourceAmount"]

# The fields that each endpoint signs, in this order.
SIGNED = {
    "/payment": ORDER,
    "/cashier/checkStand": ORDER,
    "/cashier/checkStandPay": ORDER,
    "/cashier/checkStandPayment": ORDER,
    "/payout": ORDER,
    "/order/query": ["merNo", "merOrderNo", "tradeNo"],
    "/refund/apply": ["merNo", "merOrderNo", "amount", "tradeNo", "merRefundNo"],
    "/balance/query": ["merNo", "version"],
    "/order/queryOrderList": ["merNo"],
    "/order/queryAmount": ["merNo"],
    "/file/upload": ["type", "merNo"],
    "/review/submit": ["merNo", "tradeNo"],
}


class BadKey(Exception):
    """The set-up lacks a key."""


def check_key(name, value, pattern=".{16,}"):
    # Anybody can sign with an empty key, so a key that is missing or short is an error.
    if not re.fullmatch(pattern, value or ""):
        raise BadKey(f"{name} is missing or too short, or has another form")


def md5_string(path, body):
    # Values exactly as they are sent; a field that is not sent counts as empty.
    return "".join(str(body.get(name) or "") for name in SIGNED[path])


def md5_sign(path, body, key):
    check_key("TOLLGATE_KEY", key)
    text = md5_string(path, body) + key
    return hashlib.md5(text.encode()).hexdigest().upper()


if __name__ == "__main__":
    payment = {
        "merNo": int(os.environ["TOLLGATE_MERNO"]),
        "merOrderNo": "order-1",
        "currencyCode": "USD",
        "sourceAmount": "12.34",
    }
    print(md5_string("/payment", payment) + "<KEY>")
    print(md5_sign("/payment", payment, os.environ.get("TOLLGATE_KEY")))
