// Rule 6: a bridge ignores fields of later versions. Otherwise the bridge would stop working when the gateway is
// updated.
import type { Fields } from '../../../platform/base/object.ts'
import { type Check, hold, NotChecked, type TestedBridge } from '../check.ts'
import { errorIn, paymentOf } from '../expect.ts'
import { authorisationOf, cardOf } from './cards.ts'
import { accountOf, beneficiary, maySend, payoutOf } from './payouts.ts'

const later = { fieldOfALaterVersion: 'ignore it' }

/**
 * Checks that the bridge ignores an unknown field. If the bridge refuses the same request without that field, too, the
 * check passes.
 */
async function expectIgnored(
  bridge: TestedBridge,
  operation: string,
  requestOf: (more: Fields) => Fields,
): Promise<void> {
  const answer = await bridge.call(operation, requestOf(later))
  if (answer.status === 200) return
  const { status } = await bridge.call(operation, requestOf({}))
  hold(
    status !== 200,
    `"${operation}" with the unknown field "${Object.keys(later)}" was answered ${answer.status} (${errorIn(answer)}), without it 200.`,
  )
}

async function checkPayments(bridge: TestedBridge): Promise<void> {
  const reference = bridge.reference()
  await expectIgnored(bridge, 'open', (more) => paymentOf(bridge, bridge.reference(), more))
  await bridge.call('open', paymentOf(bridge, reference))
  if (bridge.offers('simulate')) await bridge.call('simulate', { reference, event: 'pay' })
  const { currency } = bridge.money
  const refundOf = () => ({ reference, refundReference: bridge.reference(), amount: '1', currency })
  if (bridge.offers('refund')) await expectIgnored(bridge, 'refund', (more) => ({ ...refundOf(), ...more }))
  for (const operation of ['lookup', 'cancel'].filter(bridge.offers))
    await expectIgnored(bridge, operation, (more) => ({ reference, ...more }))
}

async function checkCards(bridge: TestedBridge): Promise<void> {
  const card = cardOf(bridge)
  await expectIgnored(bridge, 'authorise', (more) =>
    authorisationOf(bridge, bridge.reference(), { ...more, card: { ...card, ...more } }),
  )
  const merchantReference = bridge.reference()
  if (bridge.offers('void')) await expectIgnored(bridge, 'void', (more) => ({ merchantReference, ...more }))
}

async function checkPayouts(bridge: TestedBridge): Promise<void> {
  const account = await accountOf(bridge)
  await expectIgnored(bridge, 'send', (more) =>
    payoutOf(bridge, bridge.reference(), { ...more, account, beneficiary: { ...beneficiary, ...more } }),
  )
}

export const laterFields: Check = {
  name: 'unknown-fields',
  title: 'ignores fields that it does not know',
  todo: 'Read the fields that you need, and do not refuse others: later versions of the gateway add some.',
  needs: [],
  async run(bridge) {
    const parts = [
      bridge.offers('open') && checkPayments,
      bridge.offers('send') && maySend(bridge) && checkPayouts,
      bridge.offers('authorise') && checkCards,
    ].filter((part) => part !== false)
    if (parts.length === 0) throw new NotChecked('The bridge offers neither payments nor payouts.')
    for (const part of parts) await part(bridge)
  },
}
