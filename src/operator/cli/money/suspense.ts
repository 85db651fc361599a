import {
  assignToOrder,
  decideSuspense,
  type SuspenseDecided,
} from '../../../money/decisions/decide-suspense.ts'
import { listHeld } from '../../../money/suspense/book-suspense.ts'
import type { Suspense } from '../../../money/suspense/suspense.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Call, Command, Result } from '../command.ts'
import { commandActor, waitsForApproval, withDecisions } from '../shared/actor.ts'
import { columns, moneyFields, plain, sumOf } from '../shared/print.ts'
import { givenMerNo } from '../shared/show-merchant.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'suspense list',
  summary: 'List the money in suspense that awaits your decision, oldest first',
  options: {
    'mer-no': { value: 'MERNO', help: 'only this merchant; 0 lists money of no known merchant' },
    limit: { value: 'N', help: `maximum number of rows (default: ${LIST_LIMIT})` },
  },
  async run({ given, tools }) {
    const [merNo, limit] = [givenMerNo(given), readLimit(given.text('limit'))]
    const held = await listHeld(await tools.database(), merNo, limit)
    return { json: held.map(describe), text: columns(held.map(toRow), 'No money is in suspense.') }
  },
}

function readLimit(text = String(LIST_LIMIT)): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw new OperatorRefusal('--limit must be a number from 1 to 99999')
  return limit
}

const why = { value: 'TEXT', help: 'the reason, for the audit log; a large sum needs one' } as const

const accept: Command = {
  name: 'suspense accept',
  argument: 'SUSPENSEID',
  summary:
    'Accept all suspense money of the same attempt: its cancelled or expired order succeeds, and the merchant is notified',
  options: { why },
  run: (call) =>
    decide(call, 'accept', ({ accepted }) => {
      if (accepted === undefined) return undefined
      const { tradeNo, surplus } = accepted
      const rest = surplus === undefined ? '' : ` The surplus stays in suspense as ${surplus.suspenseId}.`
      const items = { accepted: accepted.accepted.map(describe), surplus: surplus && describe(surplus) }
      return { json: { tradeNo, ...items }, text: `Order ${tradeNo} has succeeded.${rest}` }
    }),
}

const giveBack: Command = {
  name: 'suspense return',
  argument: 'SUSPENSEID',
  summary: 'Book the money back to its channel; you then return it to the payer there',
  options: { why },
  run: (call) =>
    decide(call, 'return', ({ returned }) => {
      if (returned === undefined) return undefined
      const text = `${sumOf(returned.money)} was booked back to the channel ${returned.channel}.`
      return { json: describe(returned), text }
    }),
}

function decide(
  { argument: suspenseId, given, tools }: Call,
  as: 'accept' | 'return',
  inWords: (decided: SuspenseDecided) => Result | undefined,
): Promise<Result> {
  return withDecisions(tools, async (deps) => {
    const wanted = { suspenseId, as, reason: given.text('why'), actor: commandActor() }
    const decided = await decideSuspense(deps, wanted)
    const { approvalId } = decided
    return (
      inWords(decided) ?? { json: { approvalId: approvalId ?? null }, text: waitsForApproval(approvalId) }
    )
  })
}

const assign: Command = {
  name: 'suspense assign',
  argument: 'SUSPENSEID',
  summary:
    'Hold money of no known order under the order that it was paid for; then accept or return it there',
  options: { 'trade-no': { value: 'TRADENO', required: true, help: 'the order' }, why },
  async run({ argument: suspenseId, given, tools }) {
    const tradeNo = given.text('trade-no') ?? ''
    const wanted = { suspenseId, tradeNo, reason: given.text('why'), actor: commandActor() }
    const moved = await assignToOrder({ db: await tools.database(), clock: tools.clock }, wanted)
    const text = `${sumOf(moved.money)} is held under order ${tradeNo} as ${moved.suspenseId}: accept or return it.`
    return { json: describe(moved), text }
  },
}

function describe(item: Suspense) {
  const { money, bookedAt, decidedAt, tradeNo, ...rest } = item
  return {
    ...rest,
    tradeNo: tradeNo ?? null,
    ...moneyFields(money),
    bookedAt: bookedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}

function toRow(item: Suspense): string[] {
  const { suspenseId, merNo, why, channel, reference, money, tradeNo, bookedAt } = item
  const owner = merNo === 0 ? 'no known merchant' : `merchant ${merNo}`
  const order = tradeNo ?? 'no order'
  return [suspenseId, bookedAt.toISOString(), why, sumOf(money), owner, order, channel, plain(reference)]
}

export const suspenseCommands: readonly Command[] = [list, accept, giveBack, assign]
