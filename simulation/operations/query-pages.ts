// Reads pages of the order list with a fixed `asOf` while new orders arrive. A page that is read twice must be the
// same, and an order may be on only one page. A violation is excused only if a clock was wrong by more than five
// minutes.
import { committedBefore, readAsOf, snapshotOf } from '../../src/money/order-queries/as-of.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { callGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { outcomeOf } from '../witness.ts'
import { rowsOf } from './look-up.ts'

const NAME = 'query pages'
const PAGE_SIZE = 20

export const queryPages: Operation = {
  name: NAME,
  weight: 4,
  async run(actor) {
    const first = await askFor(actor, 1)
    if (first === undefined) return
    const again = await askFor(actor, 1, first.asOf)
    const second = await askFor(actor, 2, first.asOf)
    const secondAgain = await askFor(actor, 2, first.asOf)
    expectSame(actor, first, again)
    if (second === undefined) return
    expectSame(actor, second, secondAgain)
    expectApart(actor, first, second)
  },
}

type ListPage = { readonly asOf: string; readonly numbers: readonly string[]; readonly total: number }

async function askFor({ world, shop }: Actor, pageNum: number, asOf?: string): Promise<ListPage | undefined> {
  const body = {
    merNo: shop.merNo,
    version: 'V3.0.1',
    dateLimit: { from: clock(-24), to: clock(24) },
    pageNum,
    pageSize: PAGE_SIZE,
    ...(asOf !== undefined && { asOf }),
  }
  const answer = await callGateway(shop, '/order/queryOrderList', body)
  world.witness.count(NAME, outcomeOf(answer))
  if (answer.kind === 'lost' || answer.code !== '00000') return undefined
  return {
    asOf: String(answer.data.asOf),
    total: Number(answer.data.total),
    numbers: rowsOf(answer.data).map(({ tradeNo }) => String(tradeNo)),
  }
}

/** Returns the time this many hours from now in UTC, the merchants' time zone. */
function clock(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function expectSame(actor: Actor, one: ListPage, other: ListPage | undefined): void {
  if (other === undefined) return
  actor.world.witness.comparisons += 1
  if (one.total !== other.total || one.numbers.join() !== other.numbers.join())
    report(actor, `a page of merchant ${actor.shop.merNo} changed while it was held still`, one, other)
}

function expectApart(actor: Actor, one: ListPage, other: ListPage): void {
  actor.world.witness.comparisons += 1
  if (one.numbers.some((number) => other.numbers.includes(number)))
    report(actor, `an order of merchant ${actor.shop.merNo} is on two pages`, one, other)
}

function report({ world, shop }: Actor, what: string, one: ListPage, other: ListPage): void {
  const isExcused = (db: Db) => wasClockWrong(db, shop.merNo, one.asOf)
  world.witness.violations.push({ what, about: '', rows: { one, other }, isExcused })
}

/**
 * True if an order that was created after the first page has a creation time more than five minutes before that page.
 */
async function wasClockWrong(db: Db, merNo: number, text: string): Promise<boolean> {
  const asOf = readAsOf(text)
  if (asOf === undefined) return false
  const rows = await db.query({
    text: `
      select from orders
      where mer_no = $1 and created_at < $2 and not pg_visible_in_snapshot(made_in, $3) limit 1`,
    values: [merNo, committedBefore(asOf), snapshotOf(asOf)],
  })
  return rows.length > 0
}
