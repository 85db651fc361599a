// The fee plans of a merchant, one row for each method that has its own.
import { Title } from '@mantine/core'
import { PlainTable } from '../../parts/plain-table.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Merchant } from './merchant-facts.tsx'

export function FeePlans({ merchant }: { readonly merchant: Merchant }) {
  const { merchants } = useWords()
  const { plan: words } = merchants
  return (
    <section>
      <Title order={2} size="h4">
        {merchants.plans}
      </Title>
      <PlainTable label={merchants.plans}>
        <thead>
          <tr>
            <th scope="col">{words.method}</th>
            <th scope="col">{words.fee}</th>
            <th scope="col">{words.refundFee}</th>
            <th scope="col">{words.chargebackFee}</th>
            <th scope="col">{words.margin}</th>
            <th scope="col">{words.settle}</th>
          </tr>
        </thead>
        <tbody>
          {merchant.feePlans.map((plan) => (
            <tr key={plan.method}>
              <td>{plan.method === 'all' ? merchants.allMethods : plan.method}</td>
              <td>{`${percent(plan.feeBps)} + ${plan.feeFixed}`}</td>
              <td>{plan.refundFee}</td>
              <td>{plan.chargebackFee}</td>
              <td>{merchants.marginOf(percent(plan.marginBps), plan.marginDays)}</td>
              <td>{merchants.days(plan.settleDays)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  )
}

/** Basis points as a percentage: 250 is 2.5 %. */
function percent(bps: number): string {
  return `${bps / 100} %`
}
