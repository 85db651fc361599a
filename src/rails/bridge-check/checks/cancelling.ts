// Checks that a cancelled reference can never be paid, and that a paid payment stays paid.
import { type Check, hold } from '../check.ts'
import { chargeIn, expectRefusal, lookUp, openPayment, payPayment, simulate, sumOf } from '../expect.ts'
import { promises } from '../promises.ts'

const absent: Check = {
  name: 'lookup-absent',
  title: promises.neverSeen,
  todo: 'Answer "lookup" of an unknown reference with 404 and "error": "not_found", and only then. If you cannot know, answer 500.',
  needs: ['open', 'lookup', 'cancel'],
  async run(bridge) {
    const reference = bridge.reference()
    expectRefusal(await bridge.call('lookup', { reference }), 404, 'not_found', 'An unknown reference')
    const voided = chargeIn(await bridge.call('cancel', { reference }), reference)
    hold(voided.status === 'cancelled', `Cancelled, an unknown reference is "${voided.status}".`)
    const late = await openPayment(bridge, reference)
    hold(late.status === 'cancelled', `Opened after it was cancelled, a payment is "${late.status}".`)
  },
}

const unstarted: Check = {
  name: 'cancel-unknown',
  title: promises.cancelUnstarted,
  todo: 'Store a cancelled payment for a reference that you do not have, with "amount": "". The request that opens it may still be on its way, and must find it closed.',
  needs: ['open', 'lookup', 'cancel'],
  async run(bridge) {
    const reference = bridge.reference()
    for (const _ of [1, 2]) {
      const { status } = chargeIn(await bridge.call('cancel', { reference }), reference)
      hold(status === 'cancelled', `Cancelled, an unknown reference is "${status}".`)
    }
    const found = await lookUp(bridge, reference)
    hold(found.status === 'cancelled', `Later it is "${found.status}".`)
    const opened = await openPayment(bridge, reference)
    hold(opened.status === 'cancelled', `Opened after it was cancelled, it is "${opened.status}".`)
  },
}

const waiting: Check = {
  name: 'cancel-open',
  title: promises.cancelWaiting,
  todo: 'Close the payment at the rail, then in your book. If the rail takes money all the same, list it in "deposits" and leave the status "cancelled".',
  needs: ['open', 'lookup', 'cancel'],
  async run(bridge) {
    const { reference, id } = await openPayment(bridge)
    const cancelled = chargeIn(await bridge.call('cancel', { reference }), reference)
    hold(cancelled.status === 'cancelled', `A cancelled payment is "${cancelled.status}".`)
    hold(cancelled.id === id, '"cancel" answers with another id than "open".')
    if (!bridge.offers('simulate')) return
    // The bridge may refuse the late money or accept it; in both cases the payment must stay cancelled.
    await bridge.call('simulate', { reference, event: 'pay' })
    const late = await lookUp(bridge, reference)
    hold(late.status === 'cancelled', `Paid after it was cancelled, a payment is "${late.status}".`)
  },
}

const tooLate: Check = {
  name: 'cancel-paid',
  title: promises.cancelPaid,
  todo: 'Answer "cancel" with the payment as it stands: "paid" stays "paid".',
  needs: ['open', 'lookup', 'cancel', 'simulate'],
  async run(bridge) {
    const { reference } = await payPayment(bridge)
    const charge = chargeIn(await bridge.call('cancel', { reference }), reference)
    hold(charge.status === 'paid', `A paid payment that is cancelled too late is "${charge.status}".`)
    hold(sumOf(charge.deposits) > 0n, 'A paid payment lists no deposit.')
  },
}

export const cancellingChecks: readonly Check[] = [absent, unstarted, waiting, tooLate]

export const declined: Check = {
  name: 'declined',
  title: promises.declined,
  todo: 'Set "status" to "declined" with a "reason" for the payer. It is final.',
  needs: ['open', 'lookup', 'simulate'],
  async run(bridge) {
    const { reference } = await openPayment(bridge)
    await simulate(bridge, { reference, event: 'decline' })
    const charge = await lookUp(bridge, reference)
    hold(charge.status === 'declined', `A declined payment is "${charge.status}".`)
    hold(charge.reason !== '', 'A declined payment has no "reason".')
    hold((await lookUp(bridge, reference)).status === 'declined', 'A declined payment did not stay declined.')
    if (!bridge.offers('cancel')) return
    const { status } = chargeIn(await bridge.call('cancel', { reference }), reference)
    hold(status === 'declined', `A declined payment that is cancelled is "${status}".`)
  },
}
