// One deadline for all that a call does. Calls that begin in one turn of the event loop share theirs: there are thousands a
// second, and a timer with a signal for each would cost as much as making the call.

type Deadline = { readonly controller: AbortController; readonly timer: NodeJS.Timeout; calls: number }

/** Those that began in this turn, by length. */
const begun = new Map<number, Deadline>()

export async function withDeadline<Told>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Told>,
): Promise<Told> {
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

/** Whoever begins later gets a deadline of its own. */
function forget(timeoutMs: number, deadline: Deadline): void {
  if (begun.get(timeoutMs) === deadline) begun.delete(timeoutMs)
}

function end(timeoutMs: number, deadline: Deadline): void {
  clearTimeout(deadline.timer)
  forget(timeoutMs, deadline)
}
