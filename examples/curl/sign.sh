#!/usr/bin/env bash
# Signs a request with MD5: the values of a few fields and the merchant key, with nothing in between.
set -euo pipefail

# The fields that an endpoint signs, in this order.
signed_fields() {
  case $1 in
    /payment | /payout | /cashier/*) echo '.merNo, .merOrderNo, .currencyCode, .sourceAmount' ;;
    /order/query) echo '.merNo, .merOrderNo, .tradeNo' ;;
    /refund/apply) echo '.merNo, .merOrderNo, .amount, .tradeNo, .merRefundNo' ;;
    /balance/query) echo '.merNo, .version' ;;
    /order/queryOrderList | /order/queryAmount) echo '.merNo' ;;
    /file/upload) echo '.type, .merNo' ;;
    /review/submit) echo '.merNo, .tradeNo' ;;
  esac
}

# md5_string PATH BODY: values exactly as they are sent; a field that is not sent counts as empty.
md5_string() {
  jq -j "[$(signed_fields "$1")] | map(. // \"\" | tostring) | add" <<<"$2"
}

# check_key NAME VALUE [PATTERN]: anybody can sign with an empty key, so one that is missing or short is an error.
check_key() {
  local pattern=${3:-'^.{16,}$'}
  if [[ $2 =~ $pattern ]]; then return; fi
  echo "$1 is missing or too short, or has another form" >&2
  return 2
}

# md5_sign PATH BODY KEY
md5_sign() {
  check_key TOLLGATE_KEY "$3" || return
  printf %s "$(md5_string "$1" "$2")$3" | openssl dgst -md5 -r | cut -c 1-32 | tr a-f A-F
}

if [[ $0 == "${BASH_SOURCE[0]}" ]]; then
  body='{"merNo": '$TOLLGATE_MERNO', "merOrderNo": "order-1", "currencyCode": "USD", "sourceAmount": "12.34"}'
  echo "$(md5_string /payment "$body")<KEY>"
  md5_sign /payment "$body" "${TOLLGATE_KEY:-}"
fi
