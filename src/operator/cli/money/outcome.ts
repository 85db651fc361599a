import { decideOutcome, listOutcomes } from '../../../money/decisions/decide-outcome.ts'
import type { Unresolved } from '../../../money/order-queries/list-unresolved.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { type Command, UsageError } from '../command.ts'
import { commandActor, waitsForApproval, withDecisions } from '../shared/actor.ts'
import { columns, moneyFields, plain, sumOf } from '../shared/print.ts'
import { readReason, reasonOption } from '../shared/read-input.ts'
import { givenMerNo } from '../shared/show-merchant.ts'

const LIST_LIMIT = 500

const list: Command = {
  name: 'outcome list',
  summary: 'List payments, refunds and payouts whose channel does not tell their outcome, oldest first',
  options: { 'mer-no': { value: 'MERNO', help: 'only this merchant' } },
  async run({ given, tools }) {
    const deps = { db: await tools.database(), clock: tools.clock }
    const found = await listOutcomes(deps, { merNo: givenMerNo(given), limit: LIST_LIMIT })
    const json = found.map(describe)
    return { json: { outcomes: json }, text: columns(json.map(toRow), 'Every outcome is known.') }
  },
}

function describe(outcome: Unresolved) {
  const { kind, merNo, tradeNo, merOrderNo, refundNo, channel, state, money, received, asks } = outcome
  return {
    kind,
    merNo,
    tradeNo,
    refundNo: refundNo ?? null,
    merOrderNo,
    channel,
    state,
    ...moneyFields(money),
    received: received === undefined ? null : formatAmount(received.amount, received.currency),
    asks,
    createdAt: outcome.createdAt.toISOString(),
  }
}

function toRow(one: ReturnType<typeof describe>): string[] {
  const { createdAt, kind, tradeNo, refundNo, merNo, amount, received, currency, channel, state, asks } = one
  const sum = received === null ? `${amount} ${currency}` : `${received} of ${amount} ${currency} received`
  const cells = [createdAt, kind, tradeNo, refundNo ?? '', `merchant ${merNo}`, sum, channel, state]
  return [...cells, `asked ${asks} times`].map(plain)
}

const decide: Command = {
  name: 'outcome decide',
  summary: 'Decide an outcome that the channel cannot tell any more; a large one waits for a second person',
  options: {
    'trade-no': { value: 'TRADENO', required: true, help: 'the order' },
    'refund-no': { value: 'REFUNDNO', help: 'the refund of this order' },
    as: { value: 'succeeded|failed', required: true, help: 'whether the money moved' },
    amount: {
      value: '12.50',
      help: 'of a payment by transfer that succeeded: all that the channel has received for it',
    },
    reason: reasonOption,
  },
  async run({ given, tools }) {
    const as = (['succeeded', 'failed'] as const).find((name) => name === given.text('as'))
    if (as === undefined) throw new UsageError('--as must be succeeded or failed', decide)
    const key = { tradeNo: given.text('trade-no') ?? '', refundNo: given.text('refund-no') }
    const asked = { as, amount: given.text('amount'), reason: readReason(given) }
    const wanted = { ...key, ...asked, actor: commandActor() }
    return withDecisions(tools, async (deps) => {
      const { outcome, approvalId = null, isPart, money } = await decideOutcome(deps, wanted)
      const { kind, tradeNo, refundNo = null } = outcome
      const { amount } = moneyFields(money)
      const recorded = isPart
        ? `${sumOf(money)} is recorded as received for ${tradeNo}, which waits for the rest.`
        : `The ${kind} ${refundNo ?? tradeNo} is recorded as ${as}.`
      const json = { kind, tradeNo, refundNo, as, amount, isPart, approvalId }
      return { json, text: approvalId === null ? recorded : waitsForApproval(approvalId) }
    })
  },
}

export const outcomeCommands: readonly Command[] = [list, decide]
