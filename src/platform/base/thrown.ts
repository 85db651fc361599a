const MAX_WHY = 1_000

/**
 * The reason of an error as one short line. Control characters of a quoted text become spaces, because PostgreSQL
 * refuses a zero byte.
 */
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

/** If a host has several addresses, Node puts their errors into one error. The first of them is returned. */
export function firstOf(error: unknown): unknown {
  return error instanceof AggregateError ? error.errors[0] : error
}
