#!/usr/bin/env bash
# Opens a page where the payer chooses how to pay, and prints its address. Redirect the payer to it.
source "$(dirname "$0")/tollgate.sh"

call /cashier/checkStandPay '{
  "merOrderNo": "order-'"$(date +%s%N)"'",
  "currencyCode": "EUR",
  "sourceAmount": "24.00",
  "returnUrl": "https://shop.example/thanks",
  "notifyUrl": "'"${TOLLGATE_NOTIFY_URL:-}"'",
  "ipAddress": "203.0.113.7",
  "productInfoList": [{"sku": "A-1", "productName": "Scarf", "price": "24.00", "quantity": "1"}]
}' | jq -r .payUrl
