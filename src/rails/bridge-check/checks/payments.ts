// Checks that the bridge opens one payment for each reference and refuses invalid requests, that a cancelled reference
// can never be paid, that a paid or declined payment keeps its state, and that the bridge reports the money that payers
// send.
import { isSameMoney } from '../../../platform/base/money.ts'
import { methods } from '../../methods/methods.ts'
import type { BankCharge } from '../../protocols/bridge/bank/charge.ts'
import { isAuthorised } from '../../protocols/bridge/check-bridge.ts'
import { type Check, hold, NotChecked } from '../check.ts'
import {
  chargeIn,
  expectCallback,
  expectOne,
  expectRefusal,
  extra,
  isSameDeposit,
  lookUp,
  openPayment,
  paymentOf,
  payPayment,
  shown,
  simulate,
  sumOf,
} from '../expect.ts'
import { promises } from '../promises.ts'

const opens: Check = {
  name: 'open',
  title: 'opens a payment that waits for its payer',
  todo: 'Answer "open" with 200 and the whole payment: id, reference, status "open", amount and currency as asked, deposits []. Amounts are digits in the minor unit, as text.',
  needs: ['open', 'lookup'],
  async run(bridge) {
    const charge = await openPayment(bridge)
    expectExtra('open', charge)
    hold(charge.status === 'open', `"status" of a new payment is "${charge.status}", not "open".`)
    const isSame = charge.money !== undefined && isSameMoney(charge.money, bridge.money)
    hold(isSame, 'The payment has another amount or currency than the request.')
    hold(charge.deposits.length === 0, '"deposits" of a new payment is not empty.')
    const again = await bridge.call('lookup', { reference: charge.reference })
    const found = chargeIn(again, charge.reference)
    hold(found.id === charge.id, '"lookup" answers with another id than "open".')
    expectExtra('lookup', found)
  },
}

/**
 * Checks that `extra` comes back, because some methods read the payer's terminal from it. A bridge may add fields to
 * `extra`.
 */
function expectExtra(operation: string, charge: BankCharge): void {
  const missing = Object.entries(extra).find(([name, value]) => charge.extra[name] !== value)
  hold(
    missing === undefined,
    `"${operation}" does not return "extra" as it came: "${missing?.[0]}" was ${shown(missing?.[1])}, and is ${shown(charge.extra[missing?.[0] ?? ''])}.`,
    'Store "extra" with the payment, and return it in every answer, with additions of your own if you have some.',
  )
}

const once: Check = {
  name: 'open-once',
  title: promises.once,
  todo: 'Store the reference under a unique key before you call the rail. A repeated "open" returns the payment that exists, with its first amount, whatever the repetition says.',
  needs: ['open'],
  async run(bridge) {
    const reference = bridge.reference()
    const id = await expectOne('payment', async () => (await openPayment(bridge, reference)).id)
    const other = { amount: (bridge.money.amount + 1n).toString() }
    const again = chargeIn(await bridge.call('open', paymentOf(bridge, reference, other)), reference)
    hold(again.id === id, 'A repeated "open" with another amount made another payment.')
    hold(again.money?.amount === bridge.money.amount, 'A repeated "open" changed the amount.')
  },
}

const many: Check = {
  name: 'open-many',
  title: promises.many,
  todo: 'Serve requests at the same time, and give each payment an id of its own.',
  needs: ['open'],
  async run(bridge) {
    const opened = await Promise.all(Array.from({ length: 100 }, () => openPayment(bridge)))
    const ids = new Set(opened.map(({ id }) => id))
    hold(ids.size === opened.length, `${opened.length} payments have ${ids.size} ids.`)
  },
}

const nonsense: readonly (readonly [field: string, value: unknown])[] = [
  ['amount', '0'],
  ['amount', '-1250'],
  ['amount', '12.50'],
  ['amount', 1250],
  ['amount', undefined],
  ['currency', 'usd'],
  ['currency', 'ZZZ'],
  ['reference', 'with spaces'],
  ['reference', 'x'.repeat(65)],
]

const refused: Check = {
  name: 'open-refused',
  title: promises.refused,
  todo: 'Check every field before anything is stored or sent, and answer 400 with "error": "invalid_request". It tells the gateway for certain that nothing was opened.',
  needs: ['open', 'lookup'],
  async run(bridge) {
    for (const [field, value] of nonsense) {
      const reference = bridge.reference()
      const answer = await bridge.call('open', paymentOf(bridge, reference, { [field]: value }))
      expectRefusal(answer, 400, 'invalid_request', `"open" with "${field}": ${shown(value)}`)
      const found = await bridge.call('lookup', { reference })
      expectRefusal(found, 404, 'not_found', 'A reference that was refused')
    }
  },
}

const details: Check = {
  name: 'open-details',
  title: 'gives the payer what the method needs: a page, an account, a code',
  todo: 'Send the fields that docs/bridge-protocol.md lists for the method, such as "payerUrl" or a valid "account", and return "extra" as it came. Refuse terminals that your rail does not have with 400, and leave them out of "terminals" in the channels file.',
  needs: ['open'],
  async run(bridge) {
    const { method } = bridge
    if (method === undefined) throw new NotChecked('Name the method with --method.')
    if (isAuthorised(method)) throw new NotChecked('Cards and tokens are charged, not opened.')
    const shownAt: string[] = []
    for (const terminal of methods[method].terminals ?? (['WEB'] as const)) {
      const outcome = await bridge.start(method, terminal)
      if (outcome.kind === 'failed' && outcome.cause === 'refused') continue
      const why = outcome.kind === 'unknown' ? outcome.why : outcome.kind
      hold(outcome.kind === 'pending', `The gateway cannot show this payment at ${terminal}: ${why}.`)
      shownAt.push(terminal)
    }
    hold(shownAt.length > 0, 'The bridge refuses to open the payment.')
  },
}

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
    // The bridge may refuse or accept the late money. In both cases the payment must stay cancelled.
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

const declined: Check = {
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

const needs = ['open', 'lookup', 'simulate']

const paid: Check = {
  name: 'paid',
  title: promises.paid,
  todo: 'Set "status" to "paid" once the money is final, and list it in "deposits", each with an id of its own, amount, currency and time.',
  needs,
  async run(bridge) {
    const charge = await payPayment(bridge)
    hold(sumOf(charge.deposits) === bridge.money.amount, '"deposits" do not add up to the amount.')
    const again = await lookUp(bridge, charge.reference)
    hold(again.id === charge.id && again.status === 'paid', 'A second "lookup" answers something else.')
  },
}

const callback: Check = {
  name: 'callback',
  title: 'reports a paid payment by a signed callback, the same state that a lookup answers',
  todo: 'Post the whole payment to its "callbackUrl", signed like a request: method, path of the address, timestamp, body.',
  needs,
  async run(bridge) {
    const { reference, id, deposits } = await payPayment(bridge)
    const content = await expectCallback(bridge, 'a paid payment', (one) => one.reference === reference)
    hold(content.type === undefined, 'A callback about a payment has no "type".')
    const told = chargeIn({ status: 200, body: content }, reference)
    hold(told.status === 'paid', `The callback says "${told.status}", the lookup "paid".`)
    const isSame = told.id === id && sumOf(told.deposits) === sumOf(deposits)
    hold(isSame, 'The callback has another "id" or other "deposits" than the lookup.')
  },
}

const repeated: Check = {
  name: 'callback-again',
  title: 'repeats a callback that was not acknowledged',
  todo: 'Repeat a callback until the answer is 2xx, at growing intervals for at least a day, with the state of that moment.',
  needs,
  async run(bridge) {
    const reference = bridge.reference()
    bridge.inbox.refuseOnce((one) => one.reference === reference)
    await openPayment(bridge, reference)
    await bridge.call('simulate', { reference, event: 'pay' })
    await expectCallback(bridge, 'a paid payment, a second time', (one) => one.reference === reference)
  },
}

const transfers: Check = {
  name: 'deposits',
  title: promises.transfers,
  todo: 'Add every transfer to "deposits" with its own id, and keep the earlier ones as they are. The payment is "paid" once they add up to the amount. A rail that takes only the exact amount refuses another one.',
  needs,
  async run(bridge) {
    const { reference } = await openPayment(bridge)
    const { amount } = bridge.money
    const send = async (part: bigint) =>
      bridge.call('simulate', { reference, event: 'pay', amount: part.toString() })
    await send(amount - 4n)
    const short = await lookUp(bridge, reference)
    hold(short.status === 'open', `After too little came, a payment is "${short.status}", not "open".`)
    // A rail that accepts only the exact amount has refused this deposit, so the rest of the check does not apply.
    if (short.deposits.length === 0) return
    await send(4n)
    const whole = await lookUp(bridge, reference)
    hold(whole.status === 'paid', `After the rest came, a payment is "${whole.status}", not "paid".`)
    await send(9n)
    const surplus = await lookUp(bridge, reference)
    hold(sumOf(surplus.deposits) === amount + 9n, 'A transfer after the full amount is not in "deposits".')
    const ids = new Set(surplus.deposits.map(({ depositRef }) => depositRef))
    hold(ids.size === 3, `Three transfers have ${ids.size} ids in "deposits".`)
    for (const earlier of [short, whole])
      hold(
        earlier.deposits.every((one) => surplus.deposits.some((other) => isSameDeposit(one, other))),
        'A transfer that was in "deposits" later has another id, amount or currency.',
      )
  },
}

/** The checks in the order in which they run. */
export const paymentChecks: readonly Check[] = [
  ...[opens, once, many, refused, details],
  ...[absent, unstarted, waiting, tooLate],
  ...[paid, callback, repeated, transfers, declined],
]
