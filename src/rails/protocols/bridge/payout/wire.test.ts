import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromSend } from './wire.ts'

test('a payout that was not accepted says whether that is true of every call', () => {
  const answer = (status: number, error: string) => ({ kind: 'answer', status, body: { error } }) as const
  const causeOf = (reply: Parameters<typeof fromSend>[0]) => {
    const outcome = fromSend(reply, 'P1')
    return outcome.kind === 'failed' ? outcome.cause : outcome.kind
  }
  assert.equal(causeOf(answer(400, 'invalid_request')), 'refused')
  assert.equal(causeOf(answer(401, 'unauthorised')), 'unauthorised')
  assert.equal(causeOf({ kind: 'unsent', why: 'no connection' }), 'unreachable')
  assert.equal(causeOf(answer(500, 'invalid_request')), 'unknown')
})
