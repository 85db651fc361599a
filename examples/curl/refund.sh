#!/usr/bin/env bash
# Refunds a payment: refund.sh ORDER TRADENO AMOUNT. Prints the number of the refund.
source "$(dirname "$0")/tollgate.sh"

# merRefundNo is your own number of this refund. Store it first: sent twice, it refunds once.
# The refund is accepted. Whether it succeeded is in the notification, and in a query with queryType `refund`.
call /refund/apply "$(jq -n --arg merOrderNo "$1" --arg tradeNo "$2" --arg amount "$3" '{
  $merOrderNo,
  $tradeNo,
  $amount,
  operationType: "refund",
  merRefundNo: "refund-'"$(date +%s%N)"'"
}')" | jq -r .refundNo
