import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { bookSuspense } from '../../../money/suspense/book-suspense.ts'
import { PAGE_ROWS } from '../schemas.ts'

let office: BackOffice
let operator: Person
before(async () => {
  office = await openBackOffice()
  operator = await office.operator('admin')
})
after(() => office.close())

test('money in suspense is listed to its end, page by page, also that of no known merchant', async () => {
  const { merNo } = office.demo
  const stray = { channel: 'card', money: { amount: 500n, currency: 'USD' }, why: 'unmatched' } as const
  const at = new Date()
  // All rows have the same time, so that only their ids distinguish them.
  const booked = Array.from({ length: 2 * PAGE_ROWS + 1 }, (_, no) => {
    return {
      ...stray,
      merNo: no === 0 ? 0 : merNo,
      reference: `stray-${no}`,
      origin: 'statement',
      at,
    } as const
  })
  await office.db.transaction((tx) => bookSuspense(tx, booked))
  assert.deepEqual((await referencesAfter()).sort(), booked.map(({ reference }) => reference).sort())
  const { rows } = await operator.call('GET /suspense', { query: { merNo: 0 } })
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    ['stray-0'],
  )
})

async function referencesAfter(last?: string): Promise<string[]> {
  const { rows, next } = await operator.call('GET /suspense', {
    query: last === undefined ? {} : { after: last },
  })
  assert.ok(rows.length <= PAGE_ROWS)
  const references = rows.map(({ reference }) => reference)
  return next === undefined ? references : [...references, ...(await referencesAfter(next))]
}
