const MAX_WHY = 1_000

/** The reason of an error as one short line. Control characters become spaces: PostgreSQL refuses a zero byte. */
export function whyOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  // The message is cut before the replacement, because it may have megabytes.
  return message
    .slice(0, MAX_WHY)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}

/** Node puts the errors of a host's addresses into one error. Returns the first of them, or another error unchanged. */
export function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error
}
