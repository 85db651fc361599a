// Pays with a single-use token of Apple Pay or Google Pay. In a fifth of the cases, two orders send the same token.
import { parseDecimal } from '../../src/platform/base/money.ts'
import { wireAmount } from '../../test/harness/random.ts'
import type { Actor, Operation } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { type Body, orderBody } from './order-body.ts'
import { sendOrder } from './send-order.ts'
import { appleToken, googleToken } from './wallet-tokens.ts'

const currencies = ['USD', 'EUR']

export const payWithToken: Operation = {
  name: 'pay with a wallet token',
  weight: 12,
  async run(actor) {
    const { random } = actor
    const currencyCode = random.pick(currencies) ?? 'USD'
    const money = { currencyCode, sourceAmount: wireAmount(random, currencyCode) }
    const token = random.chance(0.5) ? appleFields(actor, money) : googleFields(actor)
    const send = () => sendWithToken(actor, { ...money, ...token.fields }, token.paymentType)
    if (random.chance(0.8)) await send()
    else noteDouble(actor, await Promise.all([send(), send()]))
  },
}

type Money = { readonly currencyCode: string; readonly sourceAmount: string }
type Token = { readonly paymentType: string; readonly fields: Body }

function appleFields({ world }: Actor, { currencyCode, sourceAmount }: Money): Token {
  const minor = parseDecimal(sourceAmount, currencyCode) ?? 0n
  const products = [{ sku: 'A-1', productName: 'Alpaca scarf', price: sourceAmount, quantity: '1' }]
  const browser = { userAgent: 'Mozilla/5.0', visitorId: 'v-1' }
  const applePayToken = appleToken(world, minor.toString(), currencyCode)
  return { paymentType: 'APPLE_PAY', fields: { products, browser, applePayToken } }
}

function googleFields({ world, shop }: Actor): Token {
  return { paymentType: 'GOOGLE_PAY', fields: { googlePayToken: googleToken(world, shop.merNo) } }
}

function sendWithToken(actor: Actor, fields: Body, paymentType: string): Promise<SentOrder> {
  const body = orderBody(actor, 'W', { userId: 'payer-7', email: 'payer@example.com', ...fields })
  return sendOrder(actor, {
    kind: 'payment',
    by: 'pay with a wallet token',
    path: '/payment',
    body,
    headers: { paymentType },
  })
}

const PAID = 0

function noteDouble({ world }: Actor, orders: readonly SentOrder[]): void {
  const { witness } = world
  const paid = orders.filter(({ answers }) =>
    answers.some((answer) => answer.kind === 'answered' && answer.data.payCode === PAID),
  )
  witness.comparisons += 1
  if (paid.length > 1)
    witness.violations.push({
      what: 'one wallet token paid two orders',
      about: paid[0]?.number ?? '',
      rows: paid.map(({ number, answers }) => ({ number, answers })),
    })
}
