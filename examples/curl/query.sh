#!/usr/bin/env bash
# Asks for an order by your number: query.sh ORDER. Prints 1 processing, 2 failed or 3 paid.
source "$(dirname "$0")/tollgate.sh"

# tradeNo is not needed: after a lost answer you do not know it.
call /order/query "$(jq -n --arg merOrderNo "$1" '{
  $merOrderNo,
  tradeNo: "",
  operationType: "query",
  queryType: "sales"
}')" | jq .state
