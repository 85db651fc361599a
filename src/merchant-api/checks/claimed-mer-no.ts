// The merchant number that a body claims, found without parsing the body.

const NAME = Buffer.from('"merNo"')
/** A colon, blanks, and the number as JSON may write it. */
const VALUE = /^\s*:\s*"?(\d{1,10})["\s,}]/
const VALUE_BYTES = 32

/** Undefined if it is not found; only a parsed and signed body says whether it is right. */
export function claimedMerNo(body: Buffer): number | undefined {
  const at = body.indexOf(NAME)
  if (at < 0) return undefined
  const start = at + NAME.length
  const [, digits] = VALUE.exec(body.toString('latin1', start, start + VALUE_BYTES)) ?? []
  return digits === undefined ? undefined : Number(digits)
}
