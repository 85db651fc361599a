// The keys by which an order is found. Indexing and searching create the keys with the same functions, so that case,
// spaces and zeros do not prevent a match.
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import type { StateNumber } from '../../orders/order.ts'

export type Searchable = {
  readonly money: Money
  readonly state: StateNumber
  readonly method: string
  readonly emails: readonly string[]
  readonly names: readonly string[]
  readonly cards: readonly string[]
  readonly references: readonly string[]
}

export function keysOf(order: Searchable): string[] {
  return [
    ...new Set([
      stateKey(order.state),
      methodKey(order.method),
      amountKey(formatAmount(order.money.amount, order.money.currency)),
      ...order.emails.map(emailKey),
      ...order.names.flatMap(nameKeys),
      ...order.cards.map(cardKey),
      ...order.references.map(referenceKey),
    ]),
  ]
}

export function stateKey(state: number): string {
  return `state:${state}`
}

export function methodKey(method: string): string {
  return `method:${method}`
}

/** Returns the key of an amount. The amounts 12.5, 12.50 and 012.50 have the same key. */
export function amountKey(decimal: string): string {
  const [units = '', fraction = ''] = decimal.split('.')
  const [whole, rest] = [units.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')]
  return `amount:${rest === '' ? whole : `${whole}.${rest}`}`
}

export function emailKey(email: string): string {
  return `email:${plain(email)}`
}

export function cardKey(last4: string): string {
  return `card:${last4}`
}

export function referenceKey(reference: string): string {
  return `reference:${reference.trim().slice(0, MAX_LENGTH)}`
}

/** Returns a key for each word of a name, because people search by any word of a name. */
export function nameKeys(name: string): string[] {
  const words = plain(name)
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => `name:${word}`)
}

const MAX_LENGTH = 200
const MAX_WORDS = 8

function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().slice(0, MAX_LENGTH)
}
