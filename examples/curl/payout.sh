#!/usr/bin/env bash
# Pays out to a Pix key. Prints your number, the gateway's number and payCode: 0 paid, 1 failed, 2 pending.
source "$(dirname "$0")/tollgate.sh"

# withdrawType 4 is Pix, and cardNo the Pix key.
# In live, /payout accepts MD5 only from addresses on the merchant's list. Otherwise sign it with RSA.
call /payout '{
  "merOrderNo": "payout-'"$(date +%s%N)"'",
  "currencyCode": "BRL",
  "sourceAmount": "5.00",
  "withdrawType": "4",
  "cardNo": "12ABC34501DE35",
  "benFirstName": "Example",
  "benLastName": "Payee",
  "notifyUrl": "'"${TOLLGATE_NOTIFY_URL:-}"'"
}' | jq -r '"\(.merOrderNo) \(.tradeNo) \(.payCode)"'
