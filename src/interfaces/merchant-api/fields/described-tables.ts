// How the tables are read by what describes them: the OpenAPI document and the types of the SDK. Nothing here runs for a
// request.
import { isDeepStrictEqual } from 'node:util'
import { methods } from '../../channels/method.ts'
import { withdrawTypes } from '../../payouts/payout.ts'
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
  securityCode: 'three digits',
  day: '`YYYY-MM-DD`',
  dateTime: '`YYYY-MM-DD HH:mm:ss`',
}

/** Longer ones are not meant as limits of a field. */
const LONGEST_WORTH_SAYING = 2000

/** The length of a text that readers should know. */
export function lengthWorthSaying({ type, maxLength, oneOf }: Field): number | undefined {
  if (type !== 'text' || oneOf !== undefined || maxLength === undefined) return undefined
  return maxLength < LONGEST_WORTH_SAYING ? maxLength : undefined
}

export type DescribedTable = {
  readonly table: Table
  /** The values that choose it. */
  readonly values: readonly string[]
  /** Undefined for all currencies. */
  readonly currencies: readonly string[] | undefined
}

/** By method or kind of payout; under '' if the endpoint has only one table. Several values may choose the same method. */
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

/** The fields that all tables have under the same rules. Required only if all require them. */
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
