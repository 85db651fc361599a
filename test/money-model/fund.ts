// Which balance a payout must draw on, for payouts without concurrent changes.
import type { CurrencyBalance } from '../../src/ledger/read-balances.ts'
import { convert, type ratesAt } from './arithmetic.ts'

type Rates = ReturnType<typeof ratesAt>
type Wanted = { readonly total: bigint; readonly currency: string; readonly settleCurrency: string }

/** The currency and the amount drawn, or the refusal code. `balances` are those before the payout. */
export function fundingOf(
  { total, currency, settleCurrency }: Wanted,
  balances: readonly CurrencyBalance[],
  rates: Rates,
): { readonly currency: string; readonly drawn: bigint } | string {
  if (balances.some(({ available }) => available < 0n)) return '10104'
  const up = (amount: bigint, from: string, to: string) => {
    const rate = rates.find(from, to)
    return rate && -convert(-amount, from, to, from === to ? undefined : rate)
  }
  const lacks = balances.filter(({ available, unsettled }) => available + unsettled < 0n)
  const from = (source: string) => {
    const { available = 0n, unsettled = 0n } = balances.find((one) => one.currency === source) ?? {}
    const drawn = up(total, currency, source)
    if (drawn === undefined) return '10014'
    if (drawn > available) return '10104'
    const others = lacks.filter((one) => one.currency !== source)
    const kept = others.map((one) => up(-one.available - one.unsettled, one.currency, source))
    if (kept.includes(undefined)) return '10014'
    const own = unsettled < 0n ? available + unsettled : available
    const free = kept.reduce((left: bigint, one) => left - (one ?? 0n), own)
    return drawn > free ? '10104' : { currency: source, drawn }
  }
  const others = balances.map((one) => one.currency).sort()
  const found = [currency, settleCurrency, ...others].map(from).find((one) => typeof one !== 'string')
  return found ?? from(settleCurrency)
}
