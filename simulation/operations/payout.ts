// Payouts to every kind of account: some are affordable, some fail, and some exceed the merchant's balance.
import { wireAmount } from '../../test/harness/random.ts'
import type { Actor, Operation } from '../operation.ts'
import type { SentOrder } from '../witness.ts'
import { FAILS } from './amounts.ts'
import { enterAccount } from './enter-account.ts'
import { type Body, orderBody } from './order-body.ts'
import { CCI, CLABE, home, IBAN, identity } from './payee-accounts.ts'
import { payUrlOf, sendOrder } from './send-order.ts'

const payee = { benFirstName: 'Test', benLastName: 'Payee' }

type Kind = { readonly name: string; readonly currencies: readonly string[]; readonly fields: Body }

const toBank: Kind = {
  name: 'pay out to a bank account',
  currencies: ['EUR', 'USD', 'CNY'],
  fields: { withdrawType: '3', cardNo: IBAN, ...home },
}

const kinds: readonly Kind[] = [
  {
    name: 'pay out to a card',
    currencies: ['USD', 'EUR'],
    fields: { withdrawType: '1', cardNo: '4242424242424242', mobile: '+5115550100' },
  },
  {
    name: 'pay out on a page',
    currencies: ['BRL', 'USD', 'MXN'],
    fields: { withdrawType: '2', email: 'payee@shop.example' },
  },
  toBank,
  {
    name: 'pay out by Pix',
    currencies: ['BRL'],
    fields: { withdrawType: '4', cardNo: '12ABC34501DE35' },
  },
  {
    name: 'pay out by PerTransfer',
    currencies: ['PEN'],
    fields: { withdrawType: '5', cardNo: CCI, bankCode: '02', ...identity },
  },
  { name: 'pay out by SPEI', currencies: ['MXN'], fields: { withdrawType: '6', cardNo: CLABE } },
]

export const payouts: readonly Operation[] = kinds.map((kind) => ({
  name: kind.name,
  weight: 8,
  run: (actor) => payOut(actor, kind),
}))

async function payOut(actor: Actor, { name, currencies, fields }: Kind): Promise<void> {
  const currencyCode = actor.random.pick(currencies) ?? 'USD'
  const order = await sendPayout(actor, name, {
    currencyCode,
    sourceAmount: amountOf(actor, currencyCode),
    ...fields,
  })
  const payUrl = payUrlOf(order)
  if (payUrl !== undefined) await enterAccount(actor, order.number, payUrl)
}

export function payOutToBank(
  actor: Actor,
  by: string,
  currencyCode: string,
  sourceAmount: string,
): Promise<SentOrder> {
  return sendPayout(actor, by, { currencyCode, sourceAmount, ...toBank.fields })
}

function sendPayout(actor: Actor, by: string, fields: Body): Promise<SentOrder> {
  const body = orderBody(actor, 'P', { ...payee, ...fields, notifyUrl: notifyUrl(actor) })
  return sendOrder(actor, { kind: 'payout', by, path: '/payout', body })
}

function notifyUrl({ world, shop }: Actor): string {
  return `${world.merchants.url}/${shop.merNo}/payout`
}

function amountOf({ random }: Actor, currency: string): string {
  if (random.chance(0.1)) return FAILS
  if (random.chance(0.08)) return '99999.99'
  return random.chance(0.5) ? `${1 + random.below(30)}.50` : wireAmount(random, currency)
}
