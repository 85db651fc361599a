// The terms of a fee plan. The columns of plans, the options of commands and the fields of the back office's API are
// derived from `table`.
import { assert, OperatorRefusal } from '../../platform/errors/catalogue.ts'

type Term<Value extends number | string> = {
  readonly column: string
  readonly help: string
  /** The value in a new plan. */
  readonly initial: Value
  /** Parses the value of an option. A refusal names the option. */
  read(option: string, text: string): Value
}

const table = {
  feeBps: whole('fee_bps', 'percentage fee in basis points', { most: 10_000 }),
  feeFixed: amount('fee_fixed', "fixed fee in the order's currency"),
  refundFee: amount('refund_fee', "refund fee in the order's currency"),
  chargebackFee: amount('chargeback_fee', "chargeback fee in the order's currency"),
  marginBps: whole('margin_bps', 'rolling reserve in basis points', { most: 10_000 }),
  marginDays: whole('margin_days', 'days until the reserve is released', { most: 3650, initial: 180 }),
  settleDays: whole('settle_days', 'days until settlement', { most: 365, initial: 1 }),
}

/** Amounts are decimals in the order's currency, such as `0.30`. */
export type FeePlan = { readonly [Name in keyof typeof table]: (typeof table)[Name]['initial'] }
export type TermName = keyof FeePlan

export const terms: { readonly [Name in TermName]: Term<FeePlan[Name]> } = table
export const termNames = Object.keys(terms).filter((name): name is TermName => name in terms)

export function optionOf(name: TermName): string {
  return terms[name].column.replaceAll('_', '-')
}

export function perTerm<Values extends Readonly<Record<TermName, unknown>>>(
  make: <Name extends TermName>(name: Name) => Values[Name],
): Values {
  const values: Partial<Values> = {}
  const add = <Name extends TermName>(name: Name) => {
    values[name] = make(name)
  }
  termNames.forEach(add)
  const hasAll = (some: Partial<Values>): some is Values => termNames.every((name) => name in some)
  assert(hasAll(values), 'each term has a value')
  return values
}

export const defaultPlan = perTerm<FeePlan>((name) => terms[name].initial)

export const freePlan: FeePlan = { ...defaultPlan, marginDays: 0, settleDays: 0 }

function whole(
  column: string,
  help: string,
  { most, initial = 0 }: { most: number; initial?: number },
): Term<number> {
  return {
    column,
    help,
    initial,
    read(option, text) {
      const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
      if (value <= most) return value
      throw new OperatorRefusal(`${option} must be a whole number from 0 to ${most}`)
    },
  }
}

function amount(column: string, help: string): Term<string> {
  return {
    column,
    help,
    initial: '0.00',
    read(option, text) {
      if (/^\d{1,9}(\.\d{1,2})?$/.test(text)) return text
      throw new OperatorRefusal(`${option} must be an amount such as 0.30`)
    },
  }
}
