#!/usr/bin/env bash
# Signs a request with RSA: SHA256withRSA (PKCS#1 v1.5, base64) over every field that has a value, except `sign`.
set -euo pipefail

# rsa_string BODY: the escaped form, so that nothing that a payer types can be read as another field.
rsa_string() {
  jq -j '
    # Keys sorted at every level, no white space.
    def sorted:
      if type == "object" then to_entries | sort_by(.key) | map(.value |= sorted) | from_entries
      elif type == "array" then map(sorted)
      else . end;
    def text: if type == "string" then . else sorted | tojson end;
    def escaped: split("%") | join("%25") | split("&") | join("%26");
    [to_entries | sort_by(.key)[] | select(.key != "sign" and .value != null and .value != "")
      | "\(.key)=\(.value | text | escaped)"]
    | "escaped&" + join("&")' <<<"$1"
}

# rsa_sign BODY PRIVATE_KEY_FILE
rsa_sign() {
  rsa_string "$1" | openssl dgst -sha256 -sign "$2" | openssl base64 -A || return
  echo
}

if [[ $0 == "${BASH_SOURCE[0]}" ]]; then
  body='{
    "merNo": '$TOLLGATE_MERNO',
    "merOrderNo": "order-1",
    "currencyCode": "USD",
    "sourceAmount": "12.34",
    "returnUrl": "https://shop.example/thanks?a=1&b=2",
    "productInfoList": [{"sku": "A-1", "productName": "Scarf", "price": "12.34", "quantity": "1"}]
  }'
  rsa_string "$body"
  echo
  # Send this as `sign`.
  rsa_sign "$body" "${TOLLGATE_PRIVATE_KEY:-}"
fi
