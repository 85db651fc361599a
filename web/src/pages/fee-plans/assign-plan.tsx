// Lets a merchant's terms follow a named plan, with a preview of what changes.
import { Button, Modal, NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes, type Preview } from '../merchants/changes.tsx'

type Props = {
  readonly merchant: { readonly merNo: number; readonly feePlan: string | null }
  readonly version: string
}

export function AssignPlan(props: Props) {
  const { feePlans } = useWords()
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
  const { feePlans, merchants, parts } = useWords()
  const found = useCall('GET /fee-plans', {})
  const save = useSend('PUT /merchants/:merNo/fee-plan')
  const [preview, setPreview] = useState<Preview>()
  const form = useForm({ plan: merchant.feePlan ?? '', reason: '' }, async ({ plan, reason }) => {
    const isSure = preview !== undefined
    const body = { plan: plan === '' ? null : plan, version, reason, dryRun: !isSure }
    const result = await save({ params: { merNo: merchant.merNo }, body })
    if (isSure) close()
    else setPreview(result)
  })
  const plans = found.data?.plans.map(({ plan }) => plan) ?? []
  return (
    <Modal opened onClose={close} title={feePlans.assign} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame
        form={form}
        action={preview === undefined ? merchants.preview : merchants.save}
        cancel={preview === undefined ? close : () => setPreview(undefined)}
      >
        {preview === undefined ? (
          <>
            <NativeSelect
              label={feePlans.plan}
              description={feePlans.assignHint}
              data={[{ value: '', label: feePlans.own }, ...plans]}
              {...form.field('plan')}
            />
            <Textarea
              label={parts.reason}
              description={parts.reasonHint}
              required
              maxLength={500}
              {...form.field('reason')}
            />
          </>
        ) : (
          <Changes preview={preview} />
        )}
      </FormFrame>
    </Modal>
  )
}
