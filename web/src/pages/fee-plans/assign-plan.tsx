// The dialog that assigns a named fee plan to a merchant, with a preview of the changes.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { feePlansWords } from '../../words/fee-plans.ts'
import { useWords } from '../../words/use-words.tsx'
import { EditWithPreview } from '../merchants/edit-with-preview.tsx'

type Props = {
  readonly merchant: { readonly merNo: number; readonly feePlan: string | null }
  readonly version: string
}

export function AssignPlan(props: Props) {
  const feePlans = useWords(feePlansWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        {feePlans.assign}
      </Button>
      {isOpen && <AssignDialog {...props} close={() => setIsOpen(false)} />}
    </>
  )
}

function AssignDialog({ merchant, version, close }: Props & { readonly close: () => void }) {
  const feePlans = useWords(feePlansWords)
  const found = useCall('GET /fee-plans', {})
  const save = useSend('PUT /merchants/:merNo/fee-plan')
  const plans = found.data?.plans.map(({ plan }) => plan) ?? []
  return (
    <EditWithPreview
      title={feePlans.assign}
      before={{ plan: merchant.feePlan ?? '' }}
      version={version}
      close={close}
      send={({ plan = '' }, editing) =>
        save({
          params: { merNo: merchant.merNo },
          body: { plan: plan === '' ? null : plan, ...editing },
        })
      }
    >
      {(form) => (
        <NativeSelect
          label={feePlans.plan}
          description={feePlans.assignHint}
          data={[{ value: '', label: feePlans.own }, ...plans]}
          {...form.field('plan')}
        />
      )}
    </EditWithPreview>
  )
}
