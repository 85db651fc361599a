// The fee plans of a merchant, one row for each method that has its own terms, and the name of the plan that the
// merchant follows.
import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../shell/me.tsx'
import { feePlansWords } from '../../words/fee-plans.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { AssignPlan } from '../fee-plans/assign-plan.tsx'
import { TermActions, TermsTable } from '../fee-plans/terms-table.tsx'
import { type EditedTerms, EditMethodTerms } from './edit-method-terms.tsx'
import type { Merchant } from './merchant-facts.tsx'

type Props = { readonly merchant: Merchant; readonly version: string }

export function FeePlans({ merchant, version }: Props) {
  const merchants = useWords(merchantsWords)
  const feePlans = useWords(feePlansWords)
  const may = useMay()
  const [edited, setEdited] = useState<EditedTerms>()
  const mayEdit = may('merchants.edit')
  return (
    <section>
      <Title order={2} size="h4">
        {merchants.plans}
      </Title>
      <Group gap="sm" my="xs">
        <Text>{merchant.feePlan === null ? feePlans.own : feePlans.follows(merchant.feePlan)}</Text>
        {mayEdit && (
          <>
            <AssignPlan merchant={merchant} version={version} />
            <Button size="xs" variant="default" onClick={() => setEdited({ method: undefined })}>
              {feePlans.addMethod}
            </Button>
          </>
        )}
      </Group>
      <TermsTable
        label={merchants.plans}
        terms={merchant.feePlans}
        {...(mayEdit && {
          actions: (row) =>
            isOneMethod(row.method) && (
              <TermActions
                edit={() => setEdited({ method: row.method, terms: row })}
                remove={() => setEdited({ method: row.method, removes: true })}
              />
            ),
        })}
      />
      {edited !== undefined && (
        <EditMethodTerms
          merNo={merchant.merNo}
          version={version}
          of={edited}
          close={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

/** False for the terms for all methods and for payouts. These terms are edited in the form of the merchant. */
function isOneMethod(method: string): boolean {
  return method !== 'all' && method !== 'payout'
}
