"""Signs and sends a request, and returns the `data` of the answer."""

import json
import os
import urllib.request

from sign import md5_sign


class Refused(Exception):
    """The gateway refused the request; the message says which field to correct."""


def call(path, body):
    body = {"merNo": int(os.environ["TOLLGATE_MERNO"]), "version": "V3.0.0", **body}
    body["sign"] = md5_sign(path, body, os.environ.get("TOLLGATE_KEY"))
    headers = {
        "Content-Type": "application/json",
        # Payments and payouts need the website that is registered for the merchant.
        "Referer": f"https://{os.environ['TOLLGATE_SITE']}/",
    }
    url = os.environ["TOLLGATE_URL"] + path
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        answer = json.load(response)
    if answer["code"] != "00000":
        raise Refused(f"{answer['code']} {answer['message']}")
    return answer["data"]
