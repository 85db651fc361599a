// Checks a bridge for cards or wallet tokens. Such a bridge keeps the same promises as other payment bridges, but
// offers the operations of an acquirer, such as `authorise` and `void`.
import type { Fields } from '../../../platform/base/object.ts'
import type { Outcome, RefundOutcome } from '../../contract/channel.ts'
import { fromCharge, fromRefund } from '../../protocols/bridge/card/wire.ts'
import { type Answer, type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { decided, expectOne, expectRefusal, shown, understood } from '../expect.ts'

export function authorisationOf(
  bridge: TestedBridge,
  merchantReference: string,
  changes: Fields = {},
): Fields {
  const { money, inbox } = bridge
  return {
    merchantReference,
    amount: money.amount.toString(),
    currency: money.currency,
    card: cardOf(bridge),
    browser: { browserUserAgent: 'tollgate bridge check', browserLanguage: 'en' },
    notificationUrl: inbox.url,
    callbackUrl: inbox.url,
    ...changes,
  }
}

export function cardOf({ method, cardNumber, walletToken }: TestedBridge): Fields {
  if (method !== 'apple_pay' && method !== 'google_pay')
    return { number: cardNumber, expiryMonth: '12', expiryYear: '2039', securityCode: '123' }
  if (walletToken === undefined) throw new NotChecked('Name a file with a test token by --token.')
  return { wallet: method, token: walletToken }
}

function outcomeIn(answer: Answer, reference: string): Outcome {
  return understood('charge', answer, fromCharge({ kind: 'answer', ...answer }, reference))
}

function hideCard({ cardNumber }: TestedBridge, { body }: Answer): void {
  hold(JSON.stringify(body)?.includes(cardNumber) !== true, 'An answer contains the card number.')
}

function idOf(outcome: Outcome | RefundOutcome): string | undefined {
  return 'channelRef' in outcome ? outcome.channelRef : undefined
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
    const id = await expectOne('charge', async () => idOf(await authorise(bridge, reference)))
    const found = await bridge.call('lookup', { merchantReference: reference })
    hideCard(bridge, found)
    const outcome = outcomeIn(found, reference)
    hold(idOf(outcome) === id, '"lookup" answers with another charge.')
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
      hideCard(bridge, answer)
      const found = await bridge.call('lookup', { merchantReference: reference })
      expectRefusal(found, 404, 'not_found', 'A charge that was refused')
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
    await expectOne('refund', async () => idOf(await refund(bridge, reference, first, amount)))
    const second = bridge.reference()
    const { kind: beyond } = await decided('refund', () => refund(bridge, reference, second, 1n))
    hold(beyond === 'failed', `A refund beyond the charge is ${beyond}, not failed.`)
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
  return understood('refund', answer, fromRefund({ kind: 'answer', ...answer }, refundReference))
}

export const cardChecks: readonly Check[] = [once, voided, refused, refunded]
