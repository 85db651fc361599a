#!/usr/bin/env bash
# Takes a card payment. Prints its number, the gateway's number and payCode: 0 paid, 1 declined, 2 pending.
source "$(dirname "$0")/tollgate.sh"

# merOrderNo is your own number, a new one for each order; amounts are texts with two decimals.
body='{
  "merOrderNo": "order-'"$(date +%s%N)"'",
  "currencyCode": "USD",
  "sourceAmount": "12.34",
  "returnUrl": "https://shop.example/thanks",
  "notifyUrl": "'"${TOLLGATE_NOTIFY_URL:-}"'",
  "cardNo": "4242424242424242",
  "cardExpireMonth": "12",
  "cardExpireYear": "2030",
  "cardSecurityCode": "123",
  "billingFirstName": "Example",
  "billingLastName": "Payer",
  "billingAddress1": "1 Example Street",
  "billingCity": "Austin",
  "billingState": "TX",
  "billingCountry": "US",
  "billingZipCode": "78701",
  "billingPhone": "15125550100",
  "billingEmail": "payer@example.com",
  "shippingFirstName": "Example",
  "shippingLastName": "Payer",
  "shippingAddress1": "1 Example Street",
  "shippingCity": "Austin",
  "shippingState": "TX",
  "shippingCountry": "US",
  "shippingZipCode": "78701",
  "shippingPhone": "15125550100",
  "shippingEmail": "payer@example.com",
  "userAgent": "Mozilla/5.0",
  "ipAddress": "203.0.113.7",
  "productInfoList": [{"sku": "A-1", "productName": "Scarf", "price": "12.34", "quantity": "1"}]
}'

# If no answer comes, do not pay again: ask for the order by its number (query.sh).
# With payCode 2 and a payUrl, send the payer there: the bank asks for a code.
call /payment "$body" | jq -r '"\(.merOrderNo) \(.tradeNo) \(.payCode)"'
