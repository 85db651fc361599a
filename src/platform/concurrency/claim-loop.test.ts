import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { systemClock } from '../base/clock.ts'
import { CLAIM_LIMIT, type ClaimJob, startClaimLoop } from './claim-loop.ts'

type Row = { readonly channel: string; readonly no: number }

/** A job with rows in memory. A claim takes rows out, and a call ends when the test ends it. */
function memoryJob(rows: Row[], changes: Partial<ClaimJob<Row>> = {}) {
  const called: string[] = []
  const failures: string[] = []
  const open = new Map<string, PromiseWithResolvers<void>>()
  const claims: string[][] = []
  const job: ClaimJob<Row> = {
    leaseMs: 50,
    async claim({ limit, busy }) {
      claims.push([...busy])
      const due = rows.filter(({ channel }) => !busy.includes(channel)).slice(0, limit)
      for (const row of due) rows.splice(rows.indexOf(row), 1)
      return due
    },
    channelOf: ({ channel }) => channel,
    run({ channel, no }) {
      const call = Promise.withResolvers<void>()
      called.push(`${channel} ${no}`)
      open.set(`${channel} ${no}`, call)
      return call.promise
    },
    rowFailed: (error, { channel, no }) => failures.push(`${channel} ${no}: ${String(error)}`),
    claimFailed: (error) => failures.push(String(error)),
    ...changes,
  }
  return { job, called, failures, open, claims }
}

const rowsOf = (channel: string, count: number): Row[] =>
  Array.from({ length: count }, (_, no) => ({ channel, no }))

test('a channel at its bound is left out until one of its calls ends; other channels continue', async (t) => {
  const rows = [...rowsOf('slow', 3 * CLAIM_LIMIT), ...rowsOf('quick', 1)]
  const { job, called, open, claims } = memoryJob(rows)
  const loop = startClaimLoop(job, { clock: systemClock, everyMs: 60_000, maxPerChannel: CLAIM_LIMIT })
  t.after(loop.stop)
  assert.ok(await eventually(() => called.includes('quick 0')))
  assert.equal(called.length, CLAIM_LIMIT + 1)
  assert.deepEqual(claims, [[], ['slow']])
  open.get('slow 0')?.resolve()
  assert.ok(await eventually(() => called.length === 2 * CLAIM_LIMIT + 1))
})

test('a call that fails is reported with its row, and a claim that fails does not end the loop', async (t) => {
  const rows = rowsOf('card', 1)
  const { job, called, failures, open } = memoryJob(rows)
  let claims = 0
  const claim: typeof job.claim = (wanted) => {
    if (claims++ === 0) return Promise.reject(new Error('no database'))
    return job.claim(wanted)
  }
  const loop = startClaimLoop({ ...job, claim }, { clock: systemClock, everyMs: 10 })
  t.after(loop.stop)
  assert.ok(await eventually(() => called.length === 1))
  open.get('card 0')?.reject(new Error('no answer'))
  assert.ok(await eventually(() => failures.length === 2))
  assert.deepEqual(failures, ['Error: no database', 'card 0: Error: no answer'])
})

test('a poke claims immediately, and a row is leased from the time of its claim', async (t) => {
  const rows: Row[] = []
  const leases: number[] = []
  const { job, called } = memoryJob(rows)
  const claim: typeof job.claim = (wanted) => {
    leases.push(wanted.leaseUntil.getTime() - wanted.now.getTime())
    return job.claim(wanted)
  }
  const loop = startClaimLoop({ ...job, claim }, { clock: systemClock, everyMs: 60_000 })
  t.after(loop.stop)
  assert.ok(await eventually(() => leases.length === 1))
  rows.push(...rowsOf('card', 1))
  loop.poke()
  assert.ok(await eventually(() => called.length === 1))
  assert.deepEqual(leases, [50, 50])
})

test('a stop claims nothing more and waits for the calls under way', async () => {
  const rows = rowsOf('card', 1)
  const { job, called, open, claims } = memoryJob(rows, { leaseMs: 60_000 })
  const loop = startClaimLoop(job, { clock: systemClock, everyMs: 1 })
  assert.ok(await eventually(() => called.length === 1))
  let isStopped = false
  const stopped = loop.stop().then(() => {
    isStopped = true
  })
  assert.ok(await staysFalse(() => isStopped, 50))
  const claimsBefore = claims.length
  open.get('card 0')?.resolve()
  await stopped
  loop.poke()
  assert.equal(claims.length, claimsBefore)
})

test('a stop waits at most one lease for a call that hangs, and signals the call to give up', async () => {
  const signals: AbortSignal[] = []
  const { job } = memoryJob(rowsOf('card', 1), {
    run(_row, stopping) {
      signals.push(stopping)
      return new Promise(() => {})
    },
  })
  const loop = startClaimLoop(job, { clock: systemClock, everyMs: 60_000 })
  assert.ok(await eventually(() => signals.length === 1))
  await loop.stop()
  assert.equal(signals[0]?.aborted, true)
})
