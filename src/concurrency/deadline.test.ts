import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeadline } from './deadline.ts'

/** Ends when its deadline does. */
function untilEnd(signal: AbortSignal): Promise<AbortSignal> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal), { once: true }))
}

test('what takes too long is told so, whoever else shares its deadline', async () => {
  const quick = withDeadline(30, async (signal) => signal)
  const slow = withDeadline(30, untilEnd)
  assert.equal((await quick).aborted, false)
  assert.equal((await slow).aborted, true)
})

test('a call that begins after all others of its turn have ended has a deadline all the same', async () => {
  await withDeadline(30, async () => {})
  assert.equal((await withDeadline(30, untilEnd)).aborted, true)
})

test('a deadline that is over ends no call of a later turn', async () => {
  await withDeadline(10, untilEnd)
  assert.equal(await withDeadline(10, async (signal) => signal.aborted), false)
})

test('what fails within its deadline fails as it did', async () => {
  await assert.rejects(
    withDeadline(30, async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
})
