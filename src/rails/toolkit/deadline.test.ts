import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeadline } from './deadline.ts'

/** Waits until the deadline aborts the signal. */
function untilEnd(signal: AbortSignal): Promise<AbortSignal> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal), { once: true }))
}

test('a call that takes too long is aborted, also when others share its deadline', async () => {
  const quick = withDeadline(30, async (signal) => signal)
  const slow = withDeadline(30, untilEnd)
  assert.equal((await quick).aborted, false)
  assert.equal((await slow).aborted, true)
})

test('a call has a deadline even if all others of its turn have ended', async () => {
  await withDeadline(30, async () => {})
  assert.equal((await withDeadline(30, untilEnd)).aborted, true)
})

test('an expired deadline does not abort a call of a later turn', async () => {
  await withDeadline(10, untilEnd)
  assert.equal(await withDeadline(10, async (signal) => signal.aborted), false)
})

test('an error before the deadline is passed on unchanged', async () => {
  await assert.rejects(
    withDeadline(30, async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
})
