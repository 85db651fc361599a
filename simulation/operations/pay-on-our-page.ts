// Hosted payments: the payer chooses a method and pays on our page, at times in two windows at once.
import { cardBody } from '../../test/harness/client.ts'
import { wireAmount } from '../../test/harness/random.ts'
import { askForPage } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { methods } from './methods.ts'
import { type Body, orderBody } from './order-body.ts'
import { payOnPages } from './payer.ts'
import { payUrlOf, sendOrder, type ToSend } from './send-order.ts'

const currencies = ['USD', 'EUR', 'JPY', 'CNY', 'BRL', 'MXN', 'PHP', 'PEN', 'VND']

/** Modes of checkStandPayment, by name and by number. */
const modes: readonly (readonly [mode: string, currency: string])[] = [
  ['CREDIT_CARD', 'USD'],
  ['1', 'EUR'],
  ['2', 'CNY'],
  ['7', 'BRL'],
  ['17', 'MXN'],
  ['19', 'PEN'],
  ...methods.map(({ paymentType, currencies: [currency = 'USD'] }) => [paymentType, currency] as const),
]

const checkStandPay: Operation = {
  name: 'pay on our page',
  weight: 30,
  run: (actor) =>
    payHosted(actor, anyMoney(actor), { by: 'pay on our page', path: '/cashier/checkStandPay' }),
}

const checkStand: Operation = {
  name: 'pay on a forwarded page',
  weight: 8,
  run: (actor) =>
    payHosted(actor, anyMoney(actor), {
      by: 'pay on a forwarded page',
      path: '/cashier/checkStand',
      call: askForPage,
    }),
}

const checkStandPayment: Operation = {
  name: 'pay on our page with one method',
  weight: 12,
  run(actor) {
    const [paymentMode, currencyCode] = actor.random.pick(modes) ?? ['1', 'USD']
    const money = { currencyCode, sourceAmount: wireAmount(actor.random, currencyCode) }
    const by = 'pay on our page with one method'
    return payHosted(actor, { ...money, paymentMode }, { by, path: '/cashier/checkStandPayment' })
  },
}

export const payHostedOperations: readonly Operation[] = [checkStandPay, checkStand, checkStandPayment]

function anyMoney({ random }: Actor): Body {
  const currencyCode = random.pick(currencies) ?? 'USD'
  return { currencyCode, sourceAmount: wireAmount(random, currencyCode) }
}

async function payHosted(
  actor: Actor,
  fields: Body,
  how: Pick<ToSend, 'by' | 'path' | 'call'>,
): Promise<void> {
  const { random, shop } = actor
  const { cardNo, cardExpireMonth, cardExpireYear, cardSecurityCode, ...body } = cardBody(
    shop,
    orderBody(actor, 'H', fields),
  )
  const order = await sendOrder(actor, { kind: 'hosted', body, ...how })
  const payUrl = payUrlOf(order)
  if (payUrl === undefined) return
  const windows = random.chance(0.15) ? 2 : 1
  await Promise.all(Array.from({ length: windows }, () => payOnPages(actor, order.number, payUrl)))
}
