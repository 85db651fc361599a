import { formatAmount } from '../base/money.ts'
import { decideOutcome } from '../decisions/decide-outcome.ts'
import { listOutcomes } from '../decisions/list-outcomes.ts'
import type { Unresolved } from '../order-queries/list-unresolved.ts'
import { commandActor } from './actor.ts'
import { type Command, UsageError } from './command.ts'
import { columns, plain } from './print.ts'
import { readReason, reasonOption } from './reason.ts'
import { readMerNo } from './show-merchant.ts'
import { withDecisions } from './with-decisions.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'outcome list',
  summary: 'List payments, refunds and payouts whose channel does not tell their outcome, oldest first',
  options: { 'mer-no': { value: 'MERNO', help: 'only this merchant' } },
  async run({ given, tools }) {
    const text = given.text('mer-no')
    const merNo = text === undefined ? undefined : readMerNo(text)
    const db = await tools.database()
    const found = await listOutcomes({ db, clock: tools.clock }, { merNo, limit: LIST_LIMIT })
    const json = found.map(describe)
    return {
      json: { outcomes: json },
      text: json.length === 0 ? 'Every outcome is known.' : columns(json.map(toRow)),
    }
  },
}

function describe(outcome: Unresolved) {
  const { kind, merNo, tradeNo, merOrderNo, refundNo, channel, state, money, asks } = outcome
  return {
    kind,
    merNo,
    tradeNo,
    refundNo: refundNo ?? null,
    merOrderNo,
    channel,
    state,
    amount: formatAmount(money.amount, money.currency),
    currency: money.currency,
    asks,
    createdAt: outcome.createdAt.toISOString(),
  }
}

function toRow(one: ReturnType<typeof describe>): string[] {
  const { createdAt, kind, tradeNo, refundNo, merNo, amount, currency, channel, state, asks } = one
  const sum = `${amount} ${currency}`
  return [
    createdAt,
    kind,
    tradeNo,
    refundNo ?? '',
    `merchant ${merNo}`,
    sum,
    channel,
    state,
    `asked ${asks} times`,
  ].map(plain)
}

const decide: Command = {
  name: 'outcome decide',
  summary: 'Decide an outcome that the channel cannot tell any more; a large one waits for a second person',
  options: {
    'trade-no': { value: 'TRADENO', required: true, help: 'the order' },
    'refund-no': { value: 'REFUNDNO', help: 'the refund of this order' },
    as: { value: 'succeeded|failed', required: true, help: 'whether the money moved' },
    reason: reasonOption,
  },
  async run({ given, tools }) {
    const as = (['succeeded', 'failed'] as const).find((name) => name === given.text('as'))
    if (as === undefined) throw new UsageError('--as must be succeeded or failed', decide)
    const key = { tradeNo: given.text('trade-no') ?? '', refundNo: given.text('refund-no') }
    const wanted = { ...key, as, reason: readReason(given), actor: commandActor() }
    return withDecisions(tools, async (deps) => {
      const { outcome, approvalId } = await decideOutcome(deps, wanted)
      const { kind, tradeNo, refundNo } = outcome
      const json = {
        kind,
        tradeNo,
        refundNo: refundNo ?? null,
        as,
        approvalId: approvalId ?? null,
      }
      const text =
        approvalId === undefined
          ? `The ${kind} ${refundNo ?? tradeNo} is recorded as ${as}.`
          : `It waits for a second person: tollgate approval approve ${approvalId} --reason TEXT`
      return { json, text }
    })
  },
}

export const outcomeCommands: readonly Command[] = [list, decide]
