// Idempotency keys. The first request with a key is carried out, and a repetition of the request gets the same
// response. A repetition with other parameters, or while the first request is in progress, is an error.
import { createHash } from 'node:crypto'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Answer, problem } from './answer.ts'

type Kept = { readonly fingerprint: string; readonly atMs: number; answer?: Answer }

export type Keys = {
  run(
    key: string,
    request: string,
    work: () => Promise<Answer>,
  ): Promise<Answer & { readonly isReplay?: boolean }>
}

const KEPT_MS = 24 * 3_600_000

export function createKeys(clock: Clock): Keys {
  const all = new Map<string, Kept>()
  return {
    async run(key, request, work) {
      const fingerprint = createHash('sha256').update(request).digest('hex')
      const atMs = clock.now().getTime()
      const earlier = all.get(key)
      if (earlier !== undefined && atMs - earlier.atMs < KEPT_MS) return repeat(earlier, fingerprint)
      const kept: Kept = { fingerprint, atMs }
      all.set(key, kept)
      const answer = await work().catch((error: unknown) => {
        all.delete(key)
        throw error
      })
      if (answer.silence === 'ignored') all.delete(key)
      else kept.answer = { status: answer.status, body: answer.body }
      return answer
    },
  }
}

function repeat({ fingerprint, answer }: Kept, asked: string): Answer & { readonly isReplay?: boolean } {
  if (fingerprint !== asked)
    return problem(400, 'idempotency_error', {
      message: 'Keys for idempotent requests can only be used with the same parameters',
    })
  if (answer === undefined)
    return problem(409, 'invalid_request_error', {
      code: 'idempotency_key_in_use',
      message: 'Another request with this key is in progress',
    })
  return { ...answer, isReplay: true }
}
