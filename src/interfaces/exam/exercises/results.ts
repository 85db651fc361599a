// Exercises about the results in notifications.
import type { Exercise } from '../exercise.ts'
import { AMOUNT, cards, NotPossible } from '../orders.ts'

export const paid: Exercise = {
  name: 'paid',
  title: 'An order is paid',
  teaches:
    'Answer 200 with the word SUCCESS and nothing else, within 15 seconds, once you have stored the result.',
  todo: 'Read the raw body, verify its signature, store the result, then answer 200 with the text SUCCESS. Work that takes longer belongs behind the answer.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

export const declined: Exercise = {
  name: 'declined',
  title: 'A card is declined',
  teaches:
    'Failed payments are notified too, with a code other than 0. Acknowledge them, and send nothing out.',
  todo: 'Look at code: only 0 means paid. Acknowledge every result that you have stored, also a failed one.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.declined)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'failed', credits: 0 })
    }
  },
}

const todo =
  'Keep the order open until its result is notified, or ask by /order/query with its number. Never start a second payment instead.'

export const timedOutCharged: Exercise = {
  name: 'timed-out-charged',
  title: 'The bank does not answer, and has charged the card',
  teaches:
    'An unknown result is not a failed one: the notification that follows says that the order is paid.',
  todo,
  async prepare(orders) {
    const order = await orders.payByCard(cards.timesOutCharged)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the truth: paid', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

export const timedOutNotCharged: Exercise = {
  name: 'timed-out-not-charged',
  title: 'The bank does not answer, and has not charged the card',
  teaches:
    'An unknown result is not a paid one either: the notification that follows says that the order failed.',
  todo,
  async prepare(orders) {
    const order = await orders.payByCard(cards.timesOutNotCharged)
    const notified = await orders.notified(order, 'payment')
    return async (server) => {
      await server.deliver('the truth: failed', notified)
      await server.expect(order, { state: 'failed', credits: 0 })
    }
  },
}

export const shortTransfer: Exercise = {
  name: 'short-transfer',
  title: 'A payer transfers too little, and then the rest',
  teaches:
    'While money is missing the order is open and nothing is notified. The result follows with the transfer that completes it.',
  todo: 'Credit a transfer when its notification says 0, never when the payer returns or says that it was sent.',
  async prepare(orders) {
    const order = await orders.payByTransfer()
    await orders.transfer(order, '4.00')
    await orders.received(order)
    if ((await orders.countNotified(order)) > 0)
      throw new NotPossible('The order was decided before all of its money arrived.')
    return async (server) => {
      await server.expect(order, { state: 'open', credits: 0 })
      await orders.transfer(order, '6.00')
      const notified = await orders.notified(order, 'payment')
      await server.deliver('the result', notified)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

export const lateTransfer: Exercise = {
  name: 'late-transfer',
  title: 'The money arrives after the order was cancelled',
  teaches:
    'A transfer may come when its order has already failed. If an operator accepts it, a second result says that the order is paid after all.',
  todo: 'Let a failed order become paid when a later result says so, and credit it then.',
  async prepare(orders) {
    const order = await orders.payByTransfer()
    await orders.cancel(order)
    const cancelled = await orders.notified(order, 'payment')
    await orders.transfer(order, AMOUNT)
    await orders.acceptLate(order)
    const paid = await orders.notified(order, 'payment', 1)
    return async (server) => {
      await server.deliver('cancelled', cancelled)
      await server.expect(order, { state: 'failed', credits: 0 })
      await server.deliver('paid after all', paid)
      await server.expect(order, { state: 'paid', credits: 1 })
    }
  },
}

export const chargeback: Exercise = {
  name: 'chargeback',
  title: "The payer's bank takes a payment back",
  teaches: 'Weeks after the payment a chargeback may open. It comes as JSON, to the address for chargebacks.',
  todo: 'Handle the event chargeback: stop the delivery, and answer the dispute in time. Send protestNotifyUrl with your orders, or set an address for chargebacks.',
  async prepare(orders) {
    const order = await orders.payByCard(cards.good)
    const paid = await orders.notified(order, 'payment')
    await orders.dispute(order)
    const opened = await orders.notified(order, 'chargeback')
    return async (server) => {
      await server.deliver('paid', paid)
      await server.deliver('the chargeback opens', opened)
      await server.expect(order, { state: 'charged-back', credits: 1 })
    }
  },
}
