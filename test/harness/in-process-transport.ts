// Calls a counterparty of the sandbox as a function: for tests that break the connection, and for a benchmark without
// HTTP.
import type { Reply, Transport } from '../../src/rails/toolkit/transport.ts'

type LocalAnswer = { readonly status: number; readonly body: unknown }

/** A counterparty in this process. An undefined answer means that the response never comes. */
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
  if (answer === undefined) return { kind: 'silent', why: 'no response in time' }
  return { kind: 'answer', status: answer.status, body: answer.body }
}

/**
 * Returns the reply of a counterparty that broke down. Over HTTP this would be a 500: it is unknown whether the request
 * was booked before the failure.
 */
function brokeDown(): Reply {
  return { kind: 'silent', why: 'the counterparty broke down' }
}
