// A deadline for a call. Calls that start in the same turn of the event loop share one timer and signal: at thousands of
// calls a second, one for each would cost as much as the call itself.

type Deadline = { readonly controller: AbortController; readonly timer: NodeJS.Timeout; calls: number }

/** Deadlines created in this turn, by duration. */
const begun = new Map<number, Deadline>()

export async function withDeadline<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = begun.get(timeoutMs) ?? begin(timeoutMs)
  deadline.calls++
  try {
    return await work(deadline.controller.signal)
  } finally {
    deadline.calls--
    if (deadline.calls === 0) end(timeoutMs, deadline)
  }
}

function begin(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const deadline = { controller, timer: setTimeout(() => controller.abort(), timeoutMs), calls: 0 }
  begun.set(timeoutMs, deadline)
  setImmediate(forget, timeoutMs, deadline)
  return deadline
}

/** Calls of later turns get a new deadline. */
function forget(timeoutMs: number, deadline: Deadline): void {
  if (begun.get(timeoutMs) === deadline) begun.delete(timeoutMs)
}

function end(timeoutMs: number, deadline: Deadline): void {
  clearTimeout(deadline.timer)
  forget(timeoutMs, deadline)
}
