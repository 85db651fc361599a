# Signs and sends a request. Source this file, then: call PATH BODY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/sign.sh"

# Prints the `data` of the answer.
call() {
  local body answer sign
  body=$(jq -c ". + {merNo: $TOLLGATE_MERNO, version: \"V3.0.0\"}" <<<"$2")
  sign=$(md5_sign "$1" "$body" "${TOLLGATE_KEY:-}") || return
  body=$(jq -c --arg sign "$sign" '. + {sign: $sign}' <<<"$body")
  # Payments and payouts need the Referer: a website that is registered for the merchant.
  answer=$(curl --silent --show-error --max-time 60 "$TOLLGATE_URL$1" \
    --header 'Content-Type: application/json' --referer "https://$TOLLGATE_SITE/" --data-binary @- <<<"$body")
  if [[ $(jq -r .code <<<"$answer") != 00000 ]]; then
    jq -r '"\(.code) \(.message)"' <<<"$answer" >&2
    return 1
  fi
  jq .data <<<"$answer"
}
