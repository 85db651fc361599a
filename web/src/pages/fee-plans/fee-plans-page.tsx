// Named fee plans, which several merchants may share: their terms, and the button that creates a plan.
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { feePlansWords } from '../../words/fee-plans.ts'
import { useWords } from '../../words/use-words.tsx'
import { type Edited, EditPlan } from './edit-plan.tsx'
import { TermActions, TermsTable } from './terms-table.tsx'

type Plan = Reply<'GET /fee-plans'>['plans'][number]

export function FeePlansPage() {
  const feePlans = useWords(feePlansWords)
  const may = useMay()
  const found = useCall('GET /fee-plans', {})
  const [edited, setEdited] = useState<Edited>()
  const edit = may('merchants.edit') ? setEdited : undefined
  return (
    <PageFrame
      title={feePlans.title}
      hint={feePlans.hint}
      actions={edit && <Button onClick={() => edit({ method: 'all' })}>{feePlans.create}</Button>}
    >
      <Loaded query={found}>
        {({ plans }) =>
          plans.length === 0 ? (
            <EmptyState title={feePlans.empty} hint={feePlans.emptyHint} />
          ) : (
            <Stack gap="xl">
              {plans.map((plan) => (
                <PlanSection key={plan.plan} of={plan} edit={edit} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {edited !== undefined && <EditPlan of={edited} close={() => setEdited(undefined)} />}
    </PageFrame>
  )
}

type SectionProps = { readonly of: Plan; readonly edit: ((edited: Edited) => void) | undefined }

function PlanSection({ of: { plan, version, terms, merchants }, edit }: SectionProps) {
  const feePlans = useWords(feePlansWords)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} size="h4">
            {plan}
          </Title>
          <Text size="sm" c="dimmed">
            {feePlans.followers(merchants)}
          </Text>
        </div>
        {edit && (
          <Button size="xs" variant="default" onClick={() => edit({ plan, version, method: undefined })}>
            {feePlans.addMethod}
          </Button>
        )}
      </Group>
      <TermsTable
        label={plan}
        terms={terms}
        {...(edit && {
          actions: (row) => (
            <TermActions
              edit={() => edit({ plan, version, method: row.method, terms: row })}
              remove={
                row.method === 'all'
                  ? undefined
                  : () => edit({ plan, version, method: row.method, removes: true })
              }
            />
          ),
        })}
      />
    </section>
  )
}
