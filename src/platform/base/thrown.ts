const MAX_WHY = 1_000

/**
 * The reason of an error as one short line. Control characters become spaces, because PostgreSQL refuses a zero byte.
 */
export function whyOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The message is cut first, because a message may have megabytes.
  return message
    .slice(0, MAX_WHY)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

/**
 * Returns the first error of an AggregateError, in which Node collects the errors of a host's addresses. Any other
 * error is returned unchanged.
 */
export function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error
}
