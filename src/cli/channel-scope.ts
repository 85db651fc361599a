// What a channel can do, as `channel show` says it: by method, with the scope of its entry.
import { formatAmount } from '../base/money.ts'
import type { Channel } from '../channels/contract.ts'
import type { Connection } from '../channels/protocol.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Tools } from './command.ts'
import { connectionNamed } from './connection-named.ts'

export type Scope = {
  readonly method: string
  readonly currencies: readonly string[] | 'any'
  readonly countries: readonly string[] | 'any'
  /** By currency, in words. */
  readonly amounts: Readonly<Record<string, string>>
  readonly refunds: boolean
  readonly terminals: readonly string[] | 'any'
  /** What our page asks the payer for, if the merchant did not send it. */
  readonly asks: readonly string[]
}

/** A text: why its settings are refused. */
export async function scopesOf(tools: Tools, channel: string): Promise<readonly Scope[] | string> {
  try {
    return scopesIn(await connectionNamed(tools, channel))
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
}

function scopesIn({ channels }: Connection): Scope[] {
  return channels.map(({ method, traits }) => ({
    method,
    currencies: traits.currencies,
    countries: traits.countries ?? 'any',
    amounts: amountsOf(traits),
    refunds: traits.refundable,
    terminals: traits.terminals ?? 'any',
    asks: traits.asks.map(({ name }) => name),
  }))
}

function amountsOf({ amounts = new Map() }: Channel['traits']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...amounts].map(([currency, { least, most }]) => {
      const bounds = [
        ...(least === undefined ? [] : [`from ${formatAmount(least, currency)}`]),
        ...(most === undefined ? [] : [`to ${formatAmount(most, currency)}`]),
      ]
      return [currency, bounds.join(' ')]
    }),
  )
}

export function scopeInWords({ currencies, countries, amounts, refunds, terminals, asks }: Scope): string {
  return [
    currencies === 'any' ? 'all currencies' : currencies.join(', '),
    ...Object.entries(amounts).map(([currency, bounds]) => `${currency} ${bounds}`),
    countries === 'any' ? 'payers of all countries' : `payers of ${countries.join(', ')}`,
    refunds ? 'refunds' : 'no refunds',
    ...(terminals === 'any' ? [] : [`on ${terminals.join(', ')}`]),
    ...(asks.length === 0 ? [] : [`asks for ${asks.join(', ')}`]),
  ].join('; ')
}
