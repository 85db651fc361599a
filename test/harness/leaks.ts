// Searches the output of a gateway for everything that it must not print: credentials of channels, in whatever form a
// request carries them, and the numbers of accounts and people.
import assert from 'node:assert/strict'
import { secretsIn } from '../contracts/channel-driver.ts'

export type Hidden = {
  /** The entries of the channels file, with their credentials. */
  readonly entries?: readonly Readonly<Record<string, unknown>>[]
  /** Other secrets, such as access tokens. */
  readonly secrets?: readonly string[]
  /** The numbers of cards and accounts, and tax numbers, without spaces. */
  readonly numbers?: readonly string[]
  /** The security codes of cards. */
  readonly codes?: readonly string[]
}

/**
 * Returns the beginning of each leak that was found. The test's own output must not contain the whole secret either.
 */
export function leaksIn(output: string, hidden: Hidden): string[] {
  const { entries = [], secrets = [], numbers = [], codes = [] } = hidden
  const ofEntries = entries.flatMap((entry) => [...secretsIn(entry), ...basicOf(entry)])
  const all = new Set([...ofEntries, ...secrets])
  const found = [...all].filter((one) => formsOf(one).some((form) => output.includes(form)))
  const shown = [...found, ...numbers.filter((one) => grouped(one).test(output))]
  const ofCards = codes.filter((one) => new RegExp(codePattern(one), 'i').test(output))
  return [...shown.map((one) => `${one.slice(0, 6)}…`), ...ofCards.map(() => 'a security code')]
}

export function assertNoLeaks(output: string, hidden: Hidden): void {
  assert.deepEqual(leaksIn(output, hidden), [])
}

/** Proves that the search would find each of these texts in a line of the log. */
export function assertFound(texts: readonly unknown[], hidden: Hidden): void {
  for (const text of texts) {
    assert.equal(typeof text, 'string')
    assert.notDeepEqual(leaksIn(`{"msg":${JSON.stringify(text)}}`, hidden), [], String(text))
  }
}

/** Returns the forms of a secret: as it is, in an address, and in a header. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('base64url')]
}

function basicOf({ clientId, clientSecret }: Readonly<Record<string, unknown>>): string[] {
  return clientSecret === undefined ? [] : [Buffer.from(`${clientId}:${clientSecret}`).toString('base64')]
}

/** Returns the pattern of a number that may be written in groups. */
function grouped(number: string): RegExp {
  return new RegExp([...number].join('[ .-]?'), 'i')
}

/**
 * Returns the pattern of a security code. Three digits alone may be anything. They are a security code after the name
 * of such a field, or as a whole JSON string, which may be nested in other JSON strings.
 */
export function codePattern(code: string): string {
  return `(?:security_?code|cvc2?|cvv2?)(?:%5D)?\\W{0,20}${code}(?!\\d)|"${code}\\\\*"`
}
