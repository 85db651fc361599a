// The reason codes of rejections and returns, in words for merchants. The bank's own text is left out: it may contain an account.

const words: Readonly<Record<string, string>> = {
  AC01: 'the IBAN is wrong',
  AC04: 'the account is closed',
  AC06: 'the account is blocked',
  AG01: 'the account does not allow such transfers',
  AG02: 'the bank does not allow such transfers',
  AM02: 'the amount is not allowed',
  AM04: 'there is not enough money in the account',
  AM05: 'it is a duplicate',
  FF01: 'the format is wrong',
  FOCR: 'it was recalled',
  MD07: 'the account holder has died',
  MS02: 'the beneficiary gave no reason',
  MS03: 'the bank gave no reason',
  RC01: 'the BIC is wrong',
  RR01: 'a regulatory rule forbids it',
  RR02: 'a regulatory rule forbids it',
  RR03: 'a regulatory rule forbids it',
  RR04: 'a regulatory rule forbids it',
  AB05: "the beneficiary's bank did not answer in time",
  AB06: 'the bank did not answer in time',
  AB07: "the beneficiary's bank cannot be reached",
  AB08: "the beneficiary's bank cannot be reached",
  AB09: "the beneficiary's bank had an error",
  AB10: 'the bank had an error',
}

/** For example "Rejected by the bank: the account is closed (AC04)". */
export function inWords(what: string, reason: string): string {
  const code = /^[A-Z0-9]{1,4}$/.test(reason) ? reason : ''
  if (code === '') return what
  return Object.hasOwn(words, code) ? `${what}: ${words[code]} (${code})` : `${what} (${code})`
}
