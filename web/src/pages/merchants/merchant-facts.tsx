import type { Reply } from '../../api/send.ts'
import { Facts } from '../../parts/facts.tsx'
import { formatMoney } from '../../parts/money.tsx'
import { merchantsWords } from '../../words/merchants.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

export type Merchant = Reply<'GET /merchants/:merNo'>['merchant']

export function MerchantFacts({ merchant }: { readonly merchant: Merchant }) {
  const { locale } = useLanguage()
  const merchants = useWords(merchantsWords)
  const orders = useWords(ordersWords)
  const { facts, all, none, yes, no } = merchants
  const list = (values: readonly string[] | 'all') =>
    values === 'all' ? all : values.length === 0 ? none : values.join(', ')
  const nameOf = (method: string) => orders.methods[method] ?? method
  const money = (amount: string | null | undefined, currency: string) =>
    amount === null || amount === undefined ? none : formatMoney({ amount, currency }, locale)
  const onOff = (value: boolean) => (value ? yes : no)
  const { single, daily, monthly } = merchant.limits
  return (
    <Facts
      of={[
        [facts.timezone, merchant.timezone],
        [facts.currencies, currenciesOf(merchant)],
        [facts.methods, list(merchant.methods === 'all' ? 'all' : merchant.methods.map(nameOf))],
        [facts.cardBrands, list(merchant.cardBrands)],
        [facts.limits, [single, daily, monthly].map((limit) => money(limit, 'USD')).join(' · ')],
        [facts.refundCredit, money(merchant.refundCredit, 'USD')],
        [facts.approveRefunds, onOff(merchant.approveRefunds)],
        [facts.payoutApproval, money(merchant.payoutApproval, 'USD')],
        [facts.reviewAbove, money(merchant.reviewAbove, 'EUR')],
        [facts.chargebackUrl, merchant.chargebackUrl],
        [facts.logo, onOff(merchant.logo !== null)],
        [facts.keys, merchant.keys.map(({ keyId }) => keyId).join(', ')],
        [facts.rsaKey, onOff(merchant.rsaKey)],
        [facts.ips, list(merchant.ips)],
        [facts.requireIp, onOff(merchant.requireIp)],
        [facts.requireRsa, onOff(merchant.requireRsa)],
        [facts.signAnswers, onOff(merchant.signAnswers)],
        [facts.notifyReview, onOff(merchant.notifyReview)],
        [facts.amountsInNotifications, onOff(merchant.amountsInNotifications)],
      ]}
    />
  )
}

function currenciesOf({ currencies }: Merchant): string {
  return Object.entries(currencies)
    .map(([currency, settles]) => (currency === settles ? currency : `${currency} → ${settles}`))
    .join(', ')
}
