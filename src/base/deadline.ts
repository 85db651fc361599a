/** One deadline for all that a call does. The timer is cleared, for there are thousands a second. */
export async function withDeadline<Told>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Told>,
): Promise<Told> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await work(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}
