"""Compares these samples with docs/vectors.json: python3 vectors.py FILE. Names what differs, and ends with 1."""

import importlib
import json
import os
import sys
import tempfile

from sign import BadKey, md5_sign, md5_string

rsa = importlib.import_module("rsa-sign")
notification = importlib.import_module("verify-notification")

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
keys = vectors["keys"]
folder = tempfile.TemporaryDirectory()


def key_file(name, text):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


private_key = key_file("merchantPrivateKey", keys["merchantPrivateKey"])
platform_key = key_file("platformPublicKey", keys["platformPublicKey"])
usable = {"key": keys["merchantKey"], "platform_key": None, "webhook_secret": keys["webhookSecret"]}


def event_of(vector, secrets):
    try:
        return notification.verify(vector["body"].encode(), vector["headers"], secrets, vector["at"])[0]
    except ValueError:
        return None


def is_refused(call, error):
    try:
        call()
    except error:
        return True
    return False


def is_unusable(vector):
    key, value = vector["key"], vector["value"]
    if key == "merchantPrivateKey":
        file = None if value is None else key_file("unusable", value)
        return is_refused(lambda: rsa.rsa_sign(vectors["rsa"][0]["body"], file), Exception)
    if key == "platformPublicKey":
        secrets = {**usable, "platform_key": key_file("unusable", value)}
    else:
        secrets = {**usable, {"merchantKey": "key", "webhookSecret": "webhook_secret"}[key]: value}
    signs = key == "merchantKey" and not is_refused(lambda: md5_sign("/payment", {}, value), BadKey)
    return not signs and is_refused(lambda: event_of(vector, secrets), BadKey)


wrong = []


def check(vector, found, expected):
    if found != expected:
        wrong.append(vector["name"])


for one in vectors["md5"]:
    path, body = one["path"], one["body"]
    check(one, md5_string(path, body), one["string"])
    check(one, md5_sign(path, body, keys["merchantKey"]), one["sign"])
for one in vectors["rsa"]:
    check(one, rsa.rsa_string(one["body"]), one["string"])
    check(one, rsa.rsa_sign(one["body"], private_key), one["sign"])
for one in vectors["notifications"]:
    secrets = {**usable, "platform_key": platform_key if one["signedBy"] == "rsa" else None}
    check(one, event_of(one, secrets), one["event"])
for one in vectors["unusableKeys"]:
    check(one, is_unusable(one), True)

if wrong:
    sys.exit("\n".join(wrong))
print(sum(len(vectors[kind]) for kind in ("md5", "rsa", "notifications", "unusableKeys")), "vectors agree")
