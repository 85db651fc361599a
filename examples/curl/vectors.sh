#!/usr/bin/env bash
# Compares these samples with docs/vectors.json: vectors.sh FILE. Names what differs, and ends with 1.
set -euo pipefail
folder=$(dirname "$0")
source "$folder/sign.sh"
source "$folder/rsa-sign.sh"
source "$folder/verify-notification.sh"

vectors=$1
temporary=$(mktemp -d)
trap 'rm -r "$temporary"' EXIT
count=0 wrong=0

# check NAME FOUND EXPECTED
check() {
  if [[ $2 != "$3" ]]; then
    echo "$1" >&2
    wrong=1
  fi
}

# assignments KIND FIELDS: a line of shell assignments for each vector
assignments() { jq -r ".$1[] | @sh \"$2\"" "$vectors"; }

TOLLGATE_KEY=$(jq -r .keys.merchantKey "$vectors")
TOLLGATE_WEBHOOK_SECRET=$(jq -r .keys.webhookSecret "$vectors")
jq -r .keys.merchantPrivateKey "$vectors" >"$temporary/private.pem"
jq -r .keys.platformPublicKey "$vectors" >"$temporary/platform.pem"

while read -r vector; do
  eval "$vector"
  count=$((count + 1))
  check "$name" "$(md5_string "$path" "$body")" "$string"
  check "$name" "$(md5_sign "$path" "$body" "$TOLLGATE_KEY")" "$sign"
done < <(assignments md5 'name=\(.name) path=\(.path) body=\(.body | tojson) string=\(.string) sign=\(.sign)')

while read -r vector; do
  eval "$vector"
  count=$((count + 1))
  check "$name" "$(rsa_string "$body")" "$string"
  check "$name" "$(rsa_sign "$body" "$temporary/private.pem")" "$sign"
done < <(assignments rsa 'name=\(.name) body=\(.body | tojson) string=\(.string) sign=\(.sign)')

while read -r vector; do
  eval "$vector"
  count=$((count + 1))
  printf %s "$body" >"$temporary/body"
  jq -r 'to_entries[] | "\(.key): \(.value)"' <<<"$headers" >"$temporary/headers"
  unset TOLLGATE_PLATFORM_KEY
  if [[ $signedBy == rsa ]]; then TOLLGATE_PLATFORM_KEY=$temporary/platform.pem; fi
  found=$(verify "$temporary/body" "$temporary/headers" 2>/dev/null) || found=null
  check "$name" "$found" "$event"
done < <(assignments notifications \
  'name=\(.name) body=\(.body) headers=\(.headers | tojson) signedBy=\(.signedBy) NOW=\(.at) event=\(.event)')

# Prints yes if the program refuses the key: with status 2 where it signs or verifies.
is_unusable() {
  local status=0
  value=$(openssl base64 -d -A <<<"$value")
  printf %s "$value" >"$temporary/unusable"
  case $key in
    merchantPrivateKey)
      if rsa_sign '{}' "$temporary/unusable"; then return; fi
      echo yes
      return
      ;;
    merchantKey)
      TOLLGATE_KEY=$value
      md5_sign /payment '{}' "$value" || status=$?
      if ((status != 2)); then return; fi
      ;;
    webhookSecret) TOLLGATE_WEBHOOK_SECRET=$value ;;
    platformPublicKey) TOLLGATE_PLATFORM_KEY=$temporary/unusable ;;
  esac
  status=0
  verify "$temporary/body" "$temporary/headers" || status=$?
  if ((status == 2)); then echo yes; fi
}

unset TOLLGATE_PLATFORM_KEY
while read -r vector; do
  eval "$vector"
  count=$((count + 1))
  printf %s "$body" >"$temporary/body"
  jq -r 'to_entries[] | "\(.key): \(.value)"' <<<"$headers" >"$temporary/headers"
  check "$name" "$(is_unusable 2>/dev/null)" yes
done < <(assignments unusableKeys \
  'name=\(.name) key=\(.key) value=\(.value // "" | @base64) body=\(.body) headers=\(.headers | tojson) NOW=\(.at)')

if ((wrong)); then exit 1; fi
echo "$count vectors agree"
