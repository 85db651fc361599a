const MAX_WHY = 1_000

/** The message of whatever was thrown, in one line and short. It may quote a counterparty, and PostgreSQL takes no zero byte. */
export function whyOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // Cut first: a message may have megabytes.
  return message
    .slice(0, MAX_WHY)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}
