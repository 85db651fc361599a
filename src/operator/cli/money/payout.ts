import { openPlatformLimits } from '../../../money/orders/platform-limits.ts'
import { approvePayout, rejectPayout } from '../../../money/payouts/approve-payout.ts'
import { isPayoutState, type ListedPayout, listPayouts } from '../../../money/payouts/find-payout.ts'
import { payoutStates } from '../../../money/payouts/payout.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import { readReference } from '../../../platform/reference/reference.ts'
import { auditId, type Command } from '../command.ts'
import { commandApprover, withRates } from '../shared/actor.ts'
import { knownChannels } from '../shared/connection-named.ts'
import { plain, section } from '../shared/print.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const list: Command = {
  name: 'payout list',
  summary: 'List payouts, oldest first: those awaiting approval, or those in another state',
  options: {
    state: { value: 'STATE', help: `all, or one of ${payoutStates.join(', ')} (default: awaiting_approval)` },
    merchant: { value: 'MERNO', help: 'only this merchant' },
  },
  async run({ given, tools }) {
    const wanted = given.text('state') ?? 'awaiting_approval'
    const state = wanted === 'all' ? undefined : wanted
    if (state !== undefined && !isPayoutState(state))
      throw new OperatorRefusal(`${wanted} is not a payout state: use all, ${payoutStates.join(', ')}`)
    const merNo = givenMerNo(given, 'merchant')
    const payouts = await listPayouts(await tools.database(), { state, merNo })
    return { json: payouts, text: section(`Payouts (${wanted})`, payouts.map(toRow)) }
  },
}

function toRow(payout: ListedPayout): string[] {
  const { tradeNo, createdAt, merNo, merchant, kind, amount, currency, account, beneficiary } = payout
  const state = [payout.state, ...payout.awaits].join(' ')
  const cells = [createdAt, tradeNo, `${merNo} ${merchant}`, `${amount} ${currency}`, kind, account]
  return [...cells, beneficiary, state].map(plain)
}

const approve: Command = {
  name: 'payout approve',
  argument: 'TRADENO',
  summary: 'Approve a payout that waits for it; the gateway then sends it',
  audit: ({ argument }) => auditId(argument),
  options: {},
  run: ({ argument: tradeNo, tools }) =>
    withRates(tools, async ({ db, clock, rates }) => {
      const deps = {
        db,
        rates,
        vault: await tools.vault(),
        reference: await readReference(db),
        platformLimits: openPlatformLimits(db, clock),
        findMerchant: (merNo: number) => findMerchant(db, tools, merNo),
        routing: (await knownChannels(tools))?.routing,
      }
      const state = await approvePayout(deps, tradeNo, { by: commandApprover(), at: clock.now() })
      const next =
        state === 'sending' ? 'The gateway sends it now.' : "It still waits for one of the merchant's people."
      return { json: { tradeNo, state }, text: `Payout ${tradeNo} is approved. ${next}` }
    }),
}

const reject: Command = {
  name: 'payout reject',
  argument: 'TRADENO',
  summary: 'Reject a payout that waits for approval; amount and fee go back to the merchant',
  audit: ({ argument }) => auditId(argument),
  options: { reason: { value: 'TEXT', help: 'the merchant sees it (default: The payout was not approved)' } },
  async run({ argument: tradeNo, given, tools }) {
    const why = readReason(given.text('reason') ?? 'The payout was not approved')
    const decider = { by: commandApprover(), at: tools.clock.now() }
    const state = await rejectPayout(await tools.database(), tradeNo, { ...decider, why })
    return {
      json: { tradeNo, state },
      text: `Payout ${tradeNo} is rejected. Amount and fee are back in the merchant's balance.`,
    }
  },
}

function readReason(text: string): string {
  if (text.trim() !== '' && text.length <= 255 && !/\p{Cc}|\p{Cs}/u.test(text)) return text
  throw new OperatorRefusal('--reason must have 1 to 255 characters and no control characters')
}

export const payoutCommands: readonly Command[] = [list, approve, reject]
