// Dispatches the requests of our own protocol to a counterparty's operations.
import type { Fields } from '../src/platform/base/object.ts'
import { fieldsOf, InvalidRequest, type IssuerAnswer, type IssuerRequest, problem } from './issuer-request.ts'

/** If the operation returns undefined, the caller never gets a response. */
export type Operation = (body: Fields) => IssuerAnswer | undefined | Promise<IssuerAnswer>

/** Handles requests. If there is no response, resolves to undefined once the caller has given up, or after a minute. */
export type Answering = {
  handle(request: IssuerRequest, signal?: AbortSignal): Promise<IssuerAnswer | undefined>
}

const HOLD_MS = 60_000

/** Dispatches to these operations, and also answers `ping` with their names. */
export function answerBy(operations: ReadonlyMap<string, Operation>): Answering {
  const ping: Operation = () => ({ status: 200, body: { operations: [...operations.keys()].toSorted() } })
  return {
    async handle({ operation: name, body }, signal) {
      const operation = name === 'ping' ? ping : operations.get(name)
      if (operation === undefined) return problem(404, 'no_such_operation', 'no such operation')
      try {
        return (await operation(fieldsOf(body))) ?? (await silence(signal))
      } catch (error) {
        if (error instanceof InvalidRequest) return problem(400, 'invalid_request', error.message)
        throw error
      }
    },
  }
}

/** Waits until the caller gives up, but at most a minute. */
export function silence(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    const timer = setTimeout(end, HOLD_MS).unref()
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}
