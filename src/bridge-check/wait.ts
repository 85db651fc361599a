const WAIT_MS = 20_000
const POLL_MS = 50

/** Looks until it is true; false if it never was. */
export async function waitUntil(isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + WAIT_MS
  while (!(await isTrue())) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
