import { OperatorRefusal } from '../errors/catalogue.ts'
import { approvePayout, rejectPayout } from '../payouts/approve-payout.ts'
import { isPayoutState, type ListedPayout, listPayouts } from '../payouts/list-payouts.ts'
import { payoutStates } from '../payouts/payout.ts'
import type { Command } from './command.ts'
import { plain, section } from './print.ts'
import { readMerNo } from './show-merchant.ts'

const list: Command = {
  name: 'payout list',
  summary: 'List payouts, the oldest first: those that wait for approval, or in another state',
  options: {
    state: { value: 'STATE', help: `all, or one of ${payoutStates.join(', ')} (awaiting_approval)` },
    merchant: { value: 'MERNO', help: 'of this merchant alone' },
  },
  async run({ given, tools }) {
    const wanted = given.text('state') ?? 'awaiting_approval'
    const state = wanted === 'all' ? undefined : wanted
    if (state !== undefined && !isPayoutState(state))
      throw new OperatorRefusal(`${wanted} is no state of a payout: all, ${payoutStates.join(', ')}`)
    const merchant = given.text('merchant')
    const merNo = merchant === undefined ? undefined : readMerNo(merchant)
    const payouts = await listPayouts(await tools.database(), { state, merNo })
    return { json: payouts, text: section(`Payouts (${wanted})`, payouts.map(toRow)) }
  },
}

function toRow(payout: ListedPayout): string[] {
  const { tradeNo, createdAt, merNo, merchant, kind, state, amount, currency, account, beneficiary } = payout
  const cells = [createdAt, tradeNo, `${merNo} ${merchant}`, `${amount} ${currency}`, kind, account]
  return [...cells, beneficiary, state].map(plain)
}

const approve: Command = {
  name: 'payout approve',
  argument: 'TRADENO',
  summary: 'Let a payout go that waits for approval',
  options: {},
  async run({ argument: tradeNo, tools }) {
    const state = await approvePayout(await tools.database(), tradeNo, tools.clock.now())
    return { json: { tradeNo, state }, text: `Payout ${tradeNo} is approved, and on its way.` }
  },
}

const reject: Command = {
  name: 'payout reject',
  argument: 'TRADENO',
  summary: 'End a payout that waits for approval; amount and fee go back to the merchant',
  options: { reason: { value: 'TEXT', help: 'what the merchant is told (The payout was not approved)' } },
  async run({ argument: tradeNo, given, tools }) {
    const why = readReason(given.text('reason') ?? 'The payout was not approved')
    const state = await rejectPayout(await tools.database(), tradeNo, why, tools.clock.now())
    return { json: { tradeNo, state }, text: `Payout ${tradeNo} is rejected; its money is back.` }
  },
}

function readReason(text: string): string {
  if (text.trim() !== '' && text.length <= 255 && !/\p{Cc}|\p{Cs}/u.test(text)) return text
  throw new OperatorRefusal('a reason has 1 to 255 characters, and no control characters')
}

export const payoutCommands: readonly Command[] = [list, approve, reject]
