// Sets one deadline for all parts of a call. Calls that begin in the same turn of the event loop with the same timeout
// share a timer: there are thousands of calls a second, and a timer for each call would cost as much as the call.

type Deadline = { readonly controller: AbortController; readonly timer: NodeJS.Timeout; calls: number }

/** The deadlines that began in this turn of the event loop, by their timeout. */
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

function forget(timeoutMs: number, deadline: Deadline): void {
  if (begun.get(timeoutMs) === deadline) begun.delete(timeoutMs)
}

function end(timeoutMs: number, deadline: Deadline): void {
  clearTimeout(deadline.timer)
  forget(timeoutMs, deadline)
}

/** Returns a function that wraps `work`, so that every call of `work` has a deadline after `timeoutMs`. */
export function timedBy(timeoutMs: number) {
  return <Request, Result>(work: (request: Request, signal: AbortSignal) => Promise<Result>) =>
    (request: Request) =>
      withDeadline(timeoutMs, (signal) => work(request, signal))
}
