// An operator accepts money in suspense for its order, or returns it.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideSuspense } from '../../src/money/decisions/decide-suspense.ts'
import { didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { accept, mayAccept } from '../rules/deposits.ts'
import type { Model, Suspense } from '../rules/facts.ts'

const held = ({ suspense }: Model) => suspense.filter(({ state }) => state === 'held')

/** Returns the id of a row that equals the model's fact. Any of several equal rows will do. */
async function idOf(
  { db }: Gateway,
  { merNo, order, attempt, channel, currency, amount, why }: Suspense,
): Promise<string> {
  const [row] = await db.query<{ suspense_id: string }>({
    text: `select suspense_id from suspense
      where mer_no = $1 and trade_no is not distinct from $2 and channel = $3 and currency = $4 and amount = $5
        and why = $6 and attempt_no is not distinct from $7 and state = 'held' order by suspense_id limit 1`,
    values: [merNo, order?.tradeNo ?? null, channel, currency, amount, why, attempt ?? null],
  })
  assert.ok(row, 'the gateway holds this money')
  return row.suspense_id
}

/** One or two operators decide at the same moment. Only one valid decision counts. */
export const decideHeld = operation({
  name: 'decideHeld',
  weight: 6,
  input: fc.record({
    suspense: fc.nat(),
    as: fc.array(fc.constantFrom('accept' as const, 'accept' as const, 'return' as const), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  isPossible: (model) => held(model).length > 0,
  async run(model, gateway, { suspense: at, as }) {
    const acceptable = held(model).filter(mayAccept)
    const one = mustPick(acceptable.length > 0 && at % 2 === 0 ? acceptable : held(model), at)
    const suspenseId = await idOf(gateway, one)
    const deps = { ...gateway, secondPersonAbove: 10n ** 15n }
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const decide = (word: 'accept' | 'return') =>
      didIt(decideSuspense(deps, { suspenseId, as: word, actor, reason: 'by the model' }))
    const done = await Promise.all(as.map(decide))
    const mayCount = as.some((word) => word === 'return' || mayAccept(one))
    assert.equal(done.filter(Boolean).length, mayCount ? 1 : 0, 'one valid decision counts')
    const taken = as[done.indexOf(true)]
    gateway.count(`suspense ${taken ?? 'refused'}`)
    if (taken === 'accept') accept(model, one)
    if (taken === 'return') one.state = 'returned'
  },
})
