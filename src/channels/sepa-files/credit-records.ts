// How a credit is written down: for its payment, for an operator because it names none, or held because it may be counted already.
import type { Money } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { RecordBody, RecordChange } from '../store.ts'
import type { Listed, Twin } from './alike.ts'
import { type Entry, fingerprintOf, type Part } from './camt.ts'
import { isSame, moneyBody, readMoney, shown, textIn } from './transfers.ts'

/** A line for `tollgate reconcile`. */
export type ReadLine = {
  readonly reference: string
  readonly type: 'payment' | 'refund' | 'payout'
  readonly money: Money
  readonly day: string
}

/** One transfer to us, with the payment that it names. */
export type Credit = {
  readonly money: Money
  readonly part: Part | undefined
  readonly reference: string | undefined
  /** The transfer of ours that came back; it is no credit to count. */
  readonly returned?: string
}

export function toListed({ money, part, reference, returned }: Credit): Listed {
  const name = reference ?? returned ?? ''
  // The last one is the end-to-end id, which a bank gives although it leaves the text out.
  const hasDetails = part?.texts.slice(0, -1).some((one) => one !== '') ?? false
  return { money, name, transferId: part?.transferId ?? '', hasDetails }
}

export function linesIn({ lines }: RecordBody, { day }: Entry): ReadLine[] {
  return listIn(lines).flatMap((line) => {
    const money = readMoney(line)
    return money === undefined
      ? []
      : [{ reference: textIn(line, 'reference'), type: 'payment' as const, money, day }]
  })
}

export function toRecord(entry: Entry, key: string, { money, part, reference }: Credit): RecordChange {
  const body = {
    ...moneyBody(money),
    at: entry.at.toISOString(),
    payerName: (part?.payerName ?? '').slice(0, 140),
    payerAccount: part?.payerAccount ?? '',
  }
  if (reference !== undefined) return { add: { kind: 'deposit', key, reference, body } }
  const text = (part?.texts ?? []).join(' ').slice(0, 500)
  return { add: { kind: 'unmatched', key, body: { ...body, day: entry.day, text } } }
}

/** Of the record of what is not counted; `key` would be that of the credit. */
export function heldKey(key: string): string {
  return `${key} unclear`
}

/** A transfer of a counted booking that is held; `key` would be that of the credit. */
export function heldBody(key: string, credit: Credit): RecordBody {
  const { money, part } = credit
  return { key, name: toListed(credit).name, print: fingerprintOf([part]), ...moneyBody(money) }
}

export function isHeldAs(held: RecordBody, credit: Credit): boolean {
  return isHeldLike(held, credit) && held.print === fingerprintOf([credit.part])
}

export function isHeldLike(held: RecordBody, credit: Credit): boolean {
  const money = readMoney(held)
  return money !== undefined && isSame(money, credit.money) && held.name === toListed(credit).name
}

export function heldDoubt({ day }: Entry, money: Money, { name }: Twin): string {
  const whose = name === '' ? 'a transfer' : `the transfer of ${name}`
  return `${shown(money)} of ${day} may be ${whose} that was counted before under another name; compare both with the bank first`
}

/** An operator may have booked it since. */
export function clearDoubt({ money, day }: Entry, lines: readonly ReadLine[]): string {
  const whose = lines.map(({ reference }) => reference).join(', ')
  const amount = lines.reduce((sum, line) => sum + line.money.amount, 0n)
  const what = `${shown({ ...money, amount })} of ${day} was held and now counts for ${whose}`
  return `${what}; if it was booked by hand meanwhile, book that out with suspense return`
}

export function listIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
