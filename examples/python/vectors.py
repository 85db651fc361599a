"""Compares these samples with docs/vectors.json: python3 vectors.py FILE. Names what differs, and ends with 1."""

import importlib
import json
import os
import sys
import tempfile

from sign import md5_sign, md5_string

rsa = importlib.import_module("rsa-sign")
notification = importlib.import_module("verify-notification")

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
keys = vectors["keys"]
folder = tempfile.TemporaryDirectory()


def key_file(name):
    path = os.path.join(folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(keys[name])
    return path


private_key, platform_key = key_file("merchantPrivateKey"), key_file("platformPublicKey")


def event_of(vector):
    secrets = {
        "key": keys["merchantKey"],
        "platform_key": platform_key if vector["signedBy"] == "rsa" else None,
        "webhook_secret": keys["webhookSecret"],
    }
    try:
        return notification.verify(vector["body"].encode(), vector["headers"], secrets, vector["at"])[0]
    except ValueError:
        return None


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
    check(one, event_of(one), one["event"])

if wrong:
    sys.exit("\n".join(wrong))
print(sum(len(vectors[kind]) for kind in ("md5", "rsa", "notifications")), "vectors agree")
