import { type CurrencyBalance, readBalances } from '../../../money/ledger/read-balances.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { Rates } from '../../../money/rates/rates.ts'
import { isCurrency } from '../../../platform/base/currency.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

/**
 * Handles `/balance/query`. The response has the balance in one currency, or the balances in all currencies and their
 * sum in US dollars.
 */
export function createBalanceQueryHandler(deps: {
  readonly db: Db
  readonly rates: Pick<Rates, 'usdValue'>
}): Handler {
  return async ({ merchant, fields }) => {
    const currency = textOf(fields, 'currency')
    const balances = await readBalances(deps.db, merchant.merNo)
    if (currency !== '') return { data: describe(balanceIn(currency, balances, merchant)) }
    const total = describe(sumInDollars(balances, deps.rates))
    return { data: { ...total, balances: balances.map(describe) } }
  }
}

/** Returns the balance in one currency. If an enabled currency has no entries, its balance is zero. */
function balanceIn(
  currency: string,
  balances: readonly CurrencyBalance[],
  merchant: Merchant,
): CurrencyBalance {
  const found = balances.find((balance) => balance.currency === currency)
  if (found !== undefined) return found
  const isOpen = merchant.currencies.has(currency) || [...merchant.currencies.values()].includes(currency)
  if (!isCurrency(currency) || !isOpen) throw new Refusal('10019')
  return { currency, available: 0n, unsettled: 0n }
}

/**
 * Returns the sum in US dollars. If a rate is missing, the request is refused, because a sum without this currency
 * would be wrong.
 */
function sumInDollars(balances: readonly CurrencyBalance[], rates: Pick<Rates, 'usdValue'>): CurrencyBalance {
  const inDollars = (amount: bigint, currency: string) => {
    const value = amount === 0n ? 0n : rates.usdValue({ amount, currency })
    if (value === undefined) throw new Refusal('10014', `${currency} to USD`)
    return value
  }
  let [available, unsettled] = [0n, 0n]
  for (const balance of balances) {
    available += inDollars(balance.available, balance.currency)
    unsettled += inDollars(balance.unsettled, balance.currency)
  }
  return { currency: 'USD', available, unsettled }
}

function describe({ currency, available, unsettled }: CurrencyBalance) {
  return {
    currency,
    balance: formatAmount(available, currency),
    unCheckedBalance: formatAmount(unsettled, currency),
    totalBalance: formatAmount(available + unsettled, currency),
  }
}
