// A counterparty of the sandbox by a function call: for tests that break the line to it, and for a benchmark without HTTP.
import type { Reply, Transport } from '../src/channels/transport.ts'

type LocalAnswer = { readonly status: number; readonly body: unknown }

/** Undefined is the answer that never comes. */
export type LocalCounterparty = {
  handle(
    request: { readonly operation: string; readonly body: unknown },
    signal: AbortSignal,
  ): Promise<LocalAnswer | undefined>
}

export function inProcessTransport<Operation extends string>(
  counterparty: LocalCounterparty,
): Transport<Operation> {
  return (operation, body, signal) =>
    counterparty.handle({ operation, body }, signal).then(toReply, brokeDown)
}

function toReply(answer: LocalAnswer | undefined): Reply {
  if (answer === undefined) return { kind: 'silent', why: 'no answer in time' }
  return { kind: 'answer', status: answer.status, body: answer.body }
}

/** Over HTTP this would be a 500: whether it was booked before it broke is not known. */
function brokeDown(): Reply {
  return { kind: 'silent', why: 'the counterparty broke down' }
}
