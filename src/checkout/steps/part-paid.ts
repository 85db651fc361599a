import type { Money } from '../../base/money.ts'
import { moneyOf } from '../../pages/amount.ts'
import type { Translation } from '../../pages/language.ts'
import type { Html } from '../../pages/page.ts'
import type { CheckoutView } from '../view.ts'
import { note } from './notes.ts'

/** The amount received and the amount still missing. */
export function partPaid(view: CheckoutView, { words, locale }: Translation): Html | undefined {
  if (view.received === undefined) return undefined
  const { heading, text } = words.part
  return note(heading, text(moneyOf(view.received, locale), moneyOf(stillDue(view), locale)))
}

export function stillDue({ money, received }: CheckoutView): Money {
  return { amount: money.amount - (received?.amount ?? 0n), currency: money.currency }
}
