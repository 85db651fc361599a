const MAX_WHY = 1_000

/**
 * Returns the message of a thrown value as one short line. The message may quote a counterparty, so control characters
 * become spaces: PostgreSQL does not accept a zero byte.
 */
export function whyOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The text is cut before the replacement, because a message may have megabytes.
  return message
    .slice(0, MAX_WHY)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}

/** True for a system error with one of these codes, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
