// Cards: the same promises as for other payments, with the operations of an acquirer.
import type { Fields } from '../../base/object.ts'
import { fromCharge, fromRefund } from '../../channels/card/wire.ts'
import type { Outcome, RefundOutcome } from '../../channels/contract.ts'
import { type Answer, Broken, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { expectRefusal, shown } from '../expect.ts'
import { waitUntil } from '../wait.ts'

function authorisationOf(bridge: TestedBridge, merchantReference: string, changes: Fields = {}): Fields {
  const { money, cardNumber, inbox } = bridge
  return {
    merchantReference,
    amount: money.amount.toString(),
    currency: money.currency,
    card: { number: cardNumber, expiryMonth: '12', expiryYear: '2039', securityCode: '123' },
    browser: { browserUserAgent: 'tollgate bridge check', browserLanguage: 'en' },
    notificationUrl: inbox.url,
    callbackUrl: inbox.url,
    ...changes,
  }
}

function outcomeIn(answer: Answer, reference: string): Outcome {
  const outcome = fromCharge({ kind: 'answer', ...answer }, reference)
  if (outcome.kind === 'unknown')
    throw new Broken(`The gateway cannot read this charge: ${shown(answer.body)}. ${outcome.why}.`)
  return outcome
}

async function authorise(bridge: TestedBridge, reference: string): Promise<Outcome> {
  return outcomeIn(await bridge.call('authorise', authorisationOf(bridge, reference)), reference)
}

async function voidCharge(bridge: TestedBridge, reference: string): Promise<Outcome> {
  return outcomeIn(await bridge.call('void', { merchantReference: reference }), reference)
}

function isVoid(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.cause === 'cancelled'
}

const once: Check = {
  name: 'card-once',
  title: 'charges a card once, however often the same reference is authorised',
  todo: 'Pass the reference to the acquirer as its idempotency key, store it under a unique key first, and answer a repetition with the charge that exists.',
  needs: ['authorise', 'lookup'],
  async run(bridge) {
    const reference = bridge.reference()
    const all = await Promise.all([1, 2, 3].map(() => authorise(bridge, reference)))
    const ids = new Set(all.map((one) => ('channelRef' in one ? one.channelRef : undefined)))
    hold(ids.size === 1, `Three requests with one reference made ${ids.size} charges.`)
    const found = await bridge.call('lookup', { merchantReference: reference })
    const outcome = outcomeIn(found, reference)
    hold('channelRef' in outcome && ids.has(outcome.channelRef), '"lookup" answers with another charge.')
    if (outcome.kind === 'succeeded')
      hold(outcome.money.amount === bridge.money.amount, 'The charge has another amount than was asked for.')
  },
}

const voided: Check = {
  name: 'card-void',
  title: 'never charges a reference that was voided before it arrived',
  todo: 'Store a voided charge for a reference that you do not have. The authorisation may still be on its way, and must find it closed.',
  needs: ['authorise', 'lookup', 'void'],
  async run(bridge) {
    const reference = bridge.reference()
    const absent = await bridge.call('lookup', { merchantReference: reference })
    expectRefusal(absent, 404, 'not_found', 'An unknown reference')
    hold(isVoid(await voidCharge(bridge, reference)), 'Voided, an unknown reference is not "voided".')
    hold(isVoid(await authorise(bridge, reference)), 'A voided reference was charged.')
  },
}

const refused: Check = {
  name: 'card-refused',
  title: 'refuses authorisations that make no sense, and stores nothing',
  todo: 'Check every field before anything is stored or sent, and answer 400 with "error": "invalid_request". The message never contains card data.',
  needs: ['authorise', 'lookup'],
  async run(bridge) {
    for (const changes of [{ amount: '0' }, { amount: '12.50' }, { currency: 'ZZZ' }, { card: {} }]) {
      const reference = bridge.reference()
      const answer = await bridge.call('authorise', authorisationOf(bridge, reference, changes))
      expectRefusal(answer, 400, 'invalid_request', `"authorise" with ${shown(changes)}`)
      hold(!shown(answer.body).includes(bridge.cardNumber), 'An answer contains the card number.')
    }
  },
}

const refunded: Check = {
  name: 'card-refund',
  title: 'refunds a charge once for each refund reference, and never more than was charged',
  todo: 'Store the refund reference under a unique key before you call the acquirer, and count the refunds of a charge in one transaction with the new one.',
  needs: ['authorise', 'refund'],
  async run(bridge) {
    const reference = bridge.reference()
    const { kind } = await authorise(bridge, reference)
    if (kind !== 'succeeded') throw new NotChecked('The test card was not approved. Name one with --card.')
    const { amount } = bridge.money
    const first = bridge.reference()
    const same = await Promise.all([1, 2].map(() => refund(bridge, reference, first, amount)))
    const ids = new Set(same.map((one) => ('channelRef' in one ? one.channelRef : undefined)))
    hold(ids.size === 1, 'Two requests with one refund reference made two refunds.')
    const second = bridge.reference()
    let outcome = await refund(bridge, reference, second, 1n)
    const isDecided = await waitUntil(async () => {
      if (outcome.kind === 'pending') outcome = await refund(bridge, reference, second, 1n)
      return outcome.kind !== 'pending'
    })
    hold(isDecided, 'A refund was still "processing" after 20 seconds.')
    hold(outcome.kind === 'failed', `A refund beyond the charge is ${outcome.kind}, not failed.`)
  },
}

async function refund(
  bridge: TestedBridge,
  merchantReference: string,
  refundReference: string,
  amount: bigint,
): Promise<RefundOutcome> {
  const { currency } = bridge.money
  const body = { merchantReference, refundReference, amount: amount.toString(), currency }
  const answer = await bridge.call('refund', body)
  const outcome = fromRefund({ kind: 'answer', ...answer }, refundReference)
  if (outcome.kind === 'unknown')
    throw new Broken(`The gateway cannot read this refund: ${shown(answer.body)}. ${outcome.why}.`)
  return outcome
}

export const cardChecks: readonly Check[] = [once, voided, refused, refunded]
