// What is set for a merchant, in words.
import type { Reply } from '../../api/send.ts'
import { Facts } from '../../parts/facts.tsx'
import { useWords } from '../../words/use-words.tsx'

export type Merchant = Reply<'GET /merchants/:merNo'>['merchant']

export function MerchantFacts({ merchant }: { readonly merchant: Merchant }) {
  const { merchants } = useWords()
  const { facts, all, none, yes, no } = merchants
  const list = (values: readonly string[] | 'all') =>
    values === 'all' ? all : values.length === 0 ? none : values.join(', ')
  const onOff = (value: boolean) => (value ? yes : no)
  const { single, daily, monthly } = merchant.limits
  return (
    <Facts
      of={[
        [facts.timezone, merchant.timezone],
        [facts.currencies, currenciesOf(merchant)],
        [facts.methods, list(merchant.methods)],
        [facts.cardBrands, list(merchant.cardBrands)],
        [facts.limits, [single, daily, monthly].map((limit) => limit ?? none).join(', ')],
        [facts.refundCredit, merchant.refundCredit],
        [facts.approveRefunds, onOff(merchant.approveRefunds)],
        [facts.payoutApproval, merchant.payoutApproval ?? none],
        [facts.reviewAbove, merchant.reviewAbove ?? none],
        [facts.chargebackUrl, merchant.chargebackUrl],
        [facts.keys, merchant.keys.map(({ keyId }) => keyId).join(', ')],
        [facts.rsaKey, onOff(merchant.rsaKey)],
        [facts.ips, list(merchant.ips)],
        [facts.requireIp, onOff(merchant.requireIp)],
        [facts.requireRsa, onOff(merchant.requireRsa)],
        [facts.signAnswers, onOff(merchant.signAnswers)],
        [facts.notifyReview, onOff(merchant.notifyReview)],
      ]}
    />
  )
}

function currenciesOf({ currencies }: Merchant): string {
  return Object.entries(currencies)
    .map(([currency, settles]) => (currency === settles ? currency : `${currency} → ${settles}`))
    .join(', ')
}
