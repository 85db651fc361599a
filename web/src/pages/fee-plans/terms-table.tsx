// The terms of a merchant or of a named plan, by method.
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Reply } from '../../api/send.ts'
import { PlainTable } from '../../parts/plain-table.tsx'
import { feePlansWords } from '../../words/fee-plans.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'

export type Terms = Reply<'GET /fee-plans'>['plans'][number]['terms'][number]

type Props = {
  readonly label: string
  readonly terms: readonly Terms[]
  readonly actions?: (terms: Terms) => ReactNode
}

export function TermsTable({ label, terms, actions }: Props) {
  const merchants = useWords(merchantsWords)
  const { plan: words } = merchants
  return (
    <PlainTable label={label}>
      <thead>
        <tr>
          <th scope="col">{words.method}</th>
          <th scope="col">{words.fee}</th>
          <th scope="col">{words.refundFee}</th>
          <th scope="col">{words.chargebackFee}</th>
          <th scope="col">{words.margin}</th>
          <th scope="col">{words.settle}</th>
          {actions !== undefined && <td />}
        </tr>
      </thead>
      <tbody>
        {terms.map((plan) => (
          <tr key={plan.method}>
            <td>{plan.method === 'all' ? merchants.allMethods : plan.method}</td>
            <td>{`${percent(plan.feeBps)} + ${plan.feeFixed}`}</td>
            <td>{plan.refundFee}</td>
            <td>{plan.chargebackFee}</td>
            <td>{merchants.marginOf(percent(plan.marginBps), plan.marginDays)}</td>
            <td>{merchants.days(plan.settleDays)}</td>
            {actions !== undefined && <td className="at-end">{actions(plan)}</td>}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

/** Converts basis points to per cent: 250 basis points are 2.5 %. */
function percent(bps: number): string {
  return `${bps / 100} %`
}

type ActionsProps = {
  readonly edit: () => void
  /** Undefined if the terms cannot be removed, because other methods use them as default. */
  readonly remove: (() => void) | undefined
}

export function TermActions({ edit, remove }: ActionsProps) {
  const feePlans = useWords(feePlansWords)
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button size="xs" variant="default" onClick={edit}>
        {feePlans.edit}
      </Button>
      {remove !== undefined && (
        <Button size="xs" variant="default" onClick={remove}>
          {feePlans.remove}
        </Button>
      )}
    </Group>
  )
}
