// Checks how the bridge reports the money that payers send, on request and by callbacks.
import { type Check, hold } from '../check.ts'
import { chargeIn, expectCallback, isSameDeposit, lookUp, openPayment, payPayment, sumOf } from '../expect.ts'
import { promises } from '../promises.ts'

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
    // A rail that accepts only the exact amount has not accepted this deposit.
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

export const payingChecks: readonly Check[] = [paid, callback, repeated, transfers]
