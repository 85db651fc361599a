// The payee of a payout that waits for approval: name, masked account and country. A label marks an account that the
// merchant has never paid. The amount is shown if several payouts wait together.
import { Text } from '@mantine/core'
import { formatMoney, type MoneyValue } from '../../parts/money.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { payoutsWords } from '../../words/payouts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { AccountText } from './account-text.tsx'

type Payee = {
  readonly beneficiary: string
  readonly account: string
  readonly country?: string
  readonly isNew?: boolean
}

type Props = { readonly of: Payee; readonly money?: MoneyValue | undefined }

export function PayeeText({ of: { beneficiary, account, country, isNew }, money }: Props) {
  const payouts = useWords(payoutsWords)
  const { locale } = useLanguage()
  return (
    <div className="two-lines">
      {beneficiary}
      <Text component="div" size="xs" c="dimmed">
        <AccountText account={account} />
        {country !== undefined && ` ${countryIn(locale, country)}`}
        {money !== undefined && ` · ${formatMoney(money, locale)}`}
      </Text>
      {isNew === true && <StateLabel tone="waiting">{payouts.neverPaid}</StateLabel>}
    </div>
  )
}

/** Returns the name of a country. A text that is not a country code is returned unchanged. */
function countryIn(locale: string, code: string): string {
  const isCode = /^[A-Z]{2}$/.test(code)
  return isCode ? (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code) : code
}
