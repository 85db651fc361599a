// Prepares the field tables for the OpenAPI document, the types of the SDK and the reference pages. No request runs
// this code.
import { isDeepStrictEqual } from 'node:util'
import { withdrawTypes } from '../../../money/payouts/payout.ts'
import { methods } from '../../../rails/methods/methods.ts'
import type { Endpoint } from '../endpoints.ts'
import type { Field, RuleName, Table } from './field.ts'

export const ruleWords: Readonly<Record<RuleName, string>> = {
  amount: 'an amount with two decimals, such as `10.00`',
  url: 'an absolute http or https address',
  notifyUrl: 'an absolute http or https address that the gateway can reach',
  country: 'a two-letter ISO country code',
  ip: 'an IPv4 or IPv6 address',
  email: 'an e-mail address',
  mobile: 'digits with an optional `+`, or in the form `1-5125550100`',
  cardNumber: 'a card number',
  month: '`01` to `12`',
  year: 'four digits',
  securityCode: 'three digits; four for American Express',
  day: '`YYYY-MM-DD`',
  dateTime: '`YYYY-MM-DD HH:mm:ss`',
}

/** A maximum length of this value or more is not described, because it only limits the size of the input. */
const LONGEST_WORTH_SAYING = 2000

export function lengthWorthSaying({ type, maxLength, oneOf }: Field): number | undefined {
  if (type !== 'text' || oneOf !== undefined || maxLength === undefined) return undefined
  return maxLength < LONGEST_WORTH_SAYING ? maxLength : undefined
}

export type DescribedTable = {
  readonly table: Table
  readonly values: readonly string[]
  readonly currencies: readonly string[] | undefined
}

/**
 * Returns the tables by method or kind of payout. If the endpoint has only one table, its key is ''. Several values may
 * choose the same method.
 */
export function tablesOf({ does, choices }: Endpoint): ReadonlyMap<string, DescribedTable> {
  const tables = new Map<string, DescribedTable>()
  for (const [value, { method, table }] of choices) {
    const name = does === 'payout' ? (withdrawTypes.get(value) ?? value) : (method ?? '')
    const values = [...(tables.get(name)?.values ?? []), value]
    const currencies = method === undefined ? 'any' : methods[method].currencies
    tables.set(name, { table, values, currencies: currencies === 'any' ? undefined : currencies })
  }
  return tables
}

/**
 * Returns the fields that all tables have with the same rules. A shared field is required only if every table requires
 * it.
 */
export function sharedFields(tables: readonly Table[]): Table {
  const [first = [], ...others] = tables
  return first.flatMap((field) => {
    const same = others.map((table) => table.find(({ name }) => name === field.name))
    const isShared = same.every((one) => one !== undefined && isDeepStrictEqual(rulesOf(one), rulesOf(field)))
    return isShared ? [{ ...field, required: [field, ...same].every((one) => one?.required === true) }] : []
  })
}

function rulesOf({ required: _required, exempt: _exempt, ...rules }: Field) {
  return rules
}
