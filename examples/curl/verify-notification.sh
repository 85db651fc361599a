#!/usr/bin/env bash
# Verifies a notification that was saved as it arrived: verify-notification.sh BODY_FILE HEADERS_FILE
# Prints its event, trade number and result. A server answers SUCCESS then; see the other languages for one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/sign.sh"

# Merchants with an RSA key set TOLLGATE_PLATFORM_KEY, a file with the PEM of /keys/platform.pem.
verify() {
  local text event
  check_secrets || return
  if [[ -v TOLLGATE_WEBHOOK_SECRET ]]; then check_headers "$1" "$2" || return 1; fi
  # The body does not name its event. The signed string does: the event that fits is the one.
  text=$(fields_of "$1" | grep -v '^sign=' | LC_ALL=C sort -t= -k1,1 | paste -sd '&') || return 1
  for event in $(if is_json "$1"; then echo refund chargeback; else echo payment payout review; fi); do
    if is_signed "event=$event&$text" "$(field "$1" sign)"; then
      echo "$event"
      return
    fi
  done
  echo 'sign does not match' >&2
  return 1
}

# A secret that is not set is not used. An empty one is an error: anybody can sign with it.
check_secrets() {
  if [[ -v TOLLGATE_WEBHOOK_SECRET ]]; then
    check_key TOLLGATE_WEBHOOK_SECRET "$TOLLGATE_WEBHOOK_SECRET" '^whsec_[A-Za-z0-9+/]{16,}={0,2}$' || return
  fi
  if [[ -v TOLLGATE_PLATFORM_KEY ]]; then
    check_key TOLLGATE_PLATFORM_KEY "$(cat "$TOLLGATE_PLATFORM_KEY")" \
      '^-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=[:space:]]{16,}-----END PUBLIC KEY-----$'
  else
    check_key TOLLGATE_KEY "${TOLLGATE_KEY:-}"
  fi
}

is_json() { [[ $(head -c 1 "$1") == '{' ]]; }

# The fields that have a value, as lines of name=value.
fields_of() {
  if is_json "$1"; then
    jq -r 'to_entries[] | select(.value != null and .value != "") | "\(.key)=\(.value)"' "$1"
    return
  fi
  local pair value
  tr '&' '\n' <"$1" | while IFS= read -r pair || [[ $pair ]]; do
    value=${pair#*=}
    value=${value//+/ }
    if [[ $value ]]; then printf '%s=%b\n' "${pair%%=*}" "${value//%/\\x}"; fi
  done
}

# field BODY_FILE NAME
field() { fields_of "$1" | sed -n "s/^$2=//p" | head -n 1; }

# is_signed TEXT SIGN
is_signed() {
  if [[ -v TOLLGATE_PLATFORM_KEY ]]; then
    printf %s "$1" | openssl dgst -sha256 -verify "$TOLLGATE_PLATFORM_KEY" \
      -signature <(printf %s "$2" | openssl base64 -d -A) >/dev/null 2>&1
  else
    [[ $(printf %s "$1$TOLLGATE_KEY" | openssl dgst -md5 -r | cut -c 1-32 | tr a-f A-F) == "$2" ]]
  fi
}

# The headers of Standard Webhooks: a stranger cannot repeat an old request.
check_headers() {
  local id timestamp key expected now=${NOW:-$(date +%s)}
  id=$(header "$2" webhook-id)
  timestamp=$(header "$2" webhook-timestamp)
  key=$(printf %s "${TOLLGATE_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  expected=$({ printf %s "$id.$timestamp." && cat "$1"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
  if [[ " $(header "$2" webhook-signature) " != *" v1,$expected "* ]]; then
    echo 'webhook-signature does not match' >&2
    return 1
  fi
  if [[ ! $timestamp =~ ^[0-9]{1,12}$ ]] || ((timestamp < now - 300 || timestamp > now + 300)); then
    echo 'webhook-timestamp is not of the last five minutes' >&2
    return 1
  fi
}

# header HEADERS_FILE NAME, from lines of "name: value"
header() { sed -n "s/^$2: *//Ip" "$1" | tr -d '\r' | head -n 1; }

if [[ $0 == "${BASH_SOURCE[0]}" ]]; then
  event=$(verify "$1" "$2")
  echo "$event $(field "$1" tradeNo) $(field "$1" code)$(field "$1" state)"
fi
