// The fee plans of a merchant, one row for each method that has its own, and the named plan that they follow.
import { Group, Text, Title } from '@mantine/core'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import { AssignPlan } from '../fee-plans/assign-plan.tsx'
import { TermsTable } from '../fee-plans/terms-table.tsx'
import type { Merchant } from './merchant-facts.tsx'

type Props = { readonly merchant: Merchant; readonly version: string }

export function FeePlans({ merchant, version }: Props) {
  const { merchants, feePlans } = useWords()
  const may = useMay()
  return (
    <section>
      <Title order={2} size="h4">
        {merchants.plans}
      </Title>
      <Group gap="sm" my="xs">
        <Text>{merchant.feePlan === null ? feePlans.own : feePlans.follows(merchant.feePlan)}</Text>
        {may('merchants.edit') && <AssignPlan merchant={merchant} version={version} />}
      </Group>
      <TermsTable label={merchants.plans} terms={merchant.feePlans} />
    </section>
  )
}
