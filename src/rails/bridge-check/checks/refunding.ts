// Checks that the bridge makes one refund for each reference, never refunds more than was paid, and eventually decides
// each refund.
import type { RefundOutcome } from '../../contract/channel.ts'
import { fromRefund } from '../../protocols/bridge/bank/wire.ts'
import { fromRefundCallback } from '../../protocols/bridge/card/wire.ts'
import { Broken, type Check, hold, type TestedBridge } from '../check.ts'
import { decided, expectCallback, expectOne, openPayment, payPayment, understood } from '../expect.ts'
import { promises } from '../promises.ts'

type Refund = { readonly reference: string; readonly refundReference: string; readonly amount: bigint }

async function refund(
  bridge: TestedBridge,
  asked: Refund,
  { currency } = bridge.money,
): Promise<RefundOutcome> {
  const body = { ...asked, amount: asked.amount.toString(), currency }
  const answer = await bridge.call('refund', body)
  const money = { amount: asked.amount, currency }
  const outcome = fromRefund({ kind: 'answer', ...answer }, { ...asked, money, refund: money })
  return understood('refund', answer, outcome)
}

export async function refundOf(bridge: TestedBridge, asked: Refund): Promise<RefundOutcome> {
  return decided('refund', () => refund(bridge, asked))
}

async function refundInFull(bridge: TestedBridge, reference: string, amount: bigint): Promise<RefundOutcome> {
  return refundOf(bridge, { reference, refundReference: bridge.reference(), amount })
}

const refunds: Check = {
  name: 'refund',
  title: promises.refunds,
  todo: 'Count the refunds of a payment that have not failed, in one transaction with the new one, and let a refund fail that would exceed what was paid.',
  needs: ['open', 'lookup', 'simulate', 'refund'],
  async run(bridge) {
    const { reference } = await payPayment(bridge)
    const { amount } = bridge.money
    const half = amount / 2n
    const refundPart = async (part: bigint) => {
      const outcome = await refundInFull(bridge, reference, part)
      if (outcome.kind !== 'succeeded') throw new Broken(`A refund of a part is ${outcome.kind}.`)
      hold(outcome.money.amount === part, 'A refund reports another amount than was asked for.')
    }
    const failBeyond = async (beyond: bigint) => {
      const { kind } = await refundInFull(bridge, reference, beyond)
      hold(kind === 'failed', `A refund beyond what was paid is ${kind}, not failed.`)
    }
    await failBeyond(amount + 1n)
    await refundPart(half)
    // The amount is less than was paid, but more than what is left after the first refund.
    await failBeyond(amount - half + 1n)
    await refundPart(amount - half)
    await failBeyond(1n)
  },
}

const unpaid: Check = {
  name: 'refund-unpaid',
  title: 'refunds nothing that was not paid',
  todo: 'Answer with "status": "failed" and a "reason", or refuse with 400.',
  needs: ['open', 'refund'],
  async run(bridge) {
    const { reference } = await openPayment(bridge)
    const { kind } = await refundInFull(bridge, reference, 1n)
    hold(kind === 'failed', `A refund of an unpaid payment is ${kind}, not failed.`)
    if (!bridge.offers('simulate')) return
    const { reference: paid } = await payPayment(bridge)
    const asked = { reference: paid, refundReference: bridge.reference(), amount: 1n }
    const other = { ...bridge.money, currency: bridge.money.currency === 'EUR' ? 'USD' : 'EUR' }
    const { kind: elsewhere } = await decided('refund', () => refund(bridge, asked, other))
    hold(elsewhere === 'failed', `A refund in another currency than was paid is ${elsewhere}, not failed.`)
  },
}

const once: Check = {
  name: 'refund-once',
  title: promises.refundOnce,
  todo: 'Store the refund reference under a unique key before you call the rail; repeating the request returns the refund that exists.',
  needs: ['open', 'lookup', 'simulate', 'refund'],
  async run(bridge) {
    const { reference } = await payPayment(bridge)
    const asked = { reference, refundReference: bridge.reference(), amount: bridge.money.amount }
    const idOf = (outcome: RefundOutcome) => ('channelRef' in outcome ? outcome.channelRef : undefined)
    const id = await expectOne('refund', async () => idOf(await refund(bridge, asked)))
    // Once the refund is decided, the request is repeated, as the gateway does after a time-out.
    await refundOf(bridge, asked)
    const again = await refund(bridge, asked)
    hold(idOf(again) === id, 'A "refund" that is repeated after it was decided is another refund.')
  },
}

const callback: Check = {
  name: 'refund-callback',
  title: 'reports a decided refund by a callback of the type "refund"',
  todo: 'Post the refund with "type": "refund" to the payment\'s "callbackUrl" once it is decided, unless the answer to "refund" said so.',
  needs: ['open', 'lookup', 'simulate', 'refund'],
  async run(bridge) {
    const { reference } = await payPayment(bridge)
    const { amount } = bridge.money
    const refundReference = bridge.reference()
    const { kind } = await refund(bridge, { reference, refundReference, amount })
    // If the answer already says that the refund succeeded, the bridge need not send a callback.
    if (kind === 'succeeded') return
    const isAbout = (one: Readonly<Record<string, unknown>>) => one.refundReference === refundReference
    const content = await expectCallback(bridge, 'a refund', isAbout)
    hold(content.type === 'refund', 'The callback about a refund has no "type": "refund".')
    const told = fromRefundCallback(content)
    hold(told?.outcome.kind === 'succeeded', `The gateway reads "${told?.outcome.kind}", not "succeeded".`)
  },
}

export const refundingChecks: readonly Check[] = [refunds, unpaid, once, callback]
