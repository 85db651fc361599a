// An operator assigns money in suspense to an order, accepts it for its order, or returns it.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { assignToOrder, decideSuspense } from '../../src/money/decisions/decide-suspense.ts'
import { didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation, pick } from '../operation.ts'
import { accept, assign, attemptFor, mayAccept } from '../rules/deposits.ts'
import type { Model, Order, Suspense } from '../rules/facts.ts'

const held = ({ suspense }: Model) => suspense.filter(({ state }) => state === 'held')

/** Returns the id of a held row that equals the model's row. If several rows are equal, any of them will do. */
async function idOf(
  { db }: Gateway,
  { merNo, order, attempt, channel, currency, amount, why, line }: Suspense,
): Promise<string> {
  const [row] = await db.query<{ suspense_id: string }>({
    text: `select suspense_id from suspense
      where mer_no = $1 and trade_no is not distinct from $2 and channel = $3 and currency = $4 and amount = $5
        and why = $6 and attempt_no is not distinct from $7 and state = 'held'
        and ($8::text is null or trade_no is not null or reference = $8) order by suspense_id limit 1`,
    values: [
      merNo,
      order?.tradeNo ?? null,
      channel,
      currency,
      amount,
      why,
      attempt ?? null,
      line?.name ?? null,
    ],
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

const ofNoOrder = (model: Model) => held(model).filter(({ order }) => order === undefined)

/** One or two operators assign the money at the same moment, perhaps to two orders. Only one assignment succeeds. */
export const assignHeld = operation({
  name: 'assignHeld',
  weight: 3,
  input: fc.record({
    suspense: fc.nat(),
    orders: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  }),
  isPossible: (model) => held(model).length > 0 && model.orders.length > 0,
  async run(model, gateway, { suspense: at, orders }) {
    const some = ofNoOrder(model)
    const one = mustPick(some.length > 0 && at % 5 > 0 ? some : held(model), at)
    const fitting = model.orders.filter((order) => attemptFor(order, one) !== undefined)
    const chosen = orders.map((no) => pick(no % 4 > 0 ? fitting : [], no) ?? mustPick(model.orders, no))
    const suspenseId = await idOf(gateway, one)
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const assignTo = ({ tradeNo }: Order) =>
      didIt(assignToOrder(gateway, { suspenseId, tradeNo, actor, reason: 'by the model' }))
    const done = await Promise.all(chosen.map(assignTo))
    const isPossible = chosen.some((order) => attemptFor(order, one) !== undefined)
    assert.equal(
      done.filter(Boolean).length,
      isPossible ? 1 : 0,
      'money is assigned once, to an order that fits',
    )
    const taken = chosen[done.indexOf(true)]
    gateway.count(`suspense ${taken === undefined ? 'not assigned' : 'assigned'}`)
    const attempt = taken && attemptFor(taken, one)
    if (taken !== undefined && attempt !== undefined) assign(model, one, taken, attempt)
  },
})
