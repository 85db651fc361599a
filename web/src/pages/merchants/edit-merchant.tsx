// Edits a merchant's terms. The server makes the change and undoes it, so the preview shows exactly what saving will do.
import { Modal, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes, type Preview } from './changes.tsx'
import type { Merchant } from './merchant-facts.tsx'

const names = [
  'name',
  'timezone',
  'feeBps',
  'feeFixed',
  'refundFee',
  'chargebackFee',
  'marginBps',
  'marginDays',
  'settleDays',
  'methods',
  'limitSingle',
  'limitDaily',
  'limitMonthly',
  'refundCredit',
  'payoutApproval',
] as const

type Values = Record<(typeof names)[number] | 'reason', string>

type Props = { readonly merchant: Merchant; readonly version: string; readonly close: () => void }

export function EditMerchant({ merchant, version, close }: Props) {
  const { merchants, parts } = useWords()
  const save = useSend('PUT /merchants/:merNo')
  const [preview, setPreview] = useState<Preview>()
  const before = valuesOf(merchant)
  const form = useForm(before, async ({ reason, ...values }) => {
    const changed = names.filter((name) => values[name] !== before[name])
    const options = Object.fromEntries(changed.map((name) => [name, values[name]]))
    const isSure = preview !== undefined
    const body = { options, version, reason, dryRun: !isSure }
    const result = await save({ params: { merNo: merchant.merNo }, body })
    if (isSure) close()
    else setPreview(result)
  })
  const title = merchants.editTitle
  return (
    <Modal opened onClose={close} size="lg" title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame
        form={form}
        action={preview === undefined ? merchants.preview : merchants.save}
        cancel={preview === undefined ? close : () => setPreview(undefined)}
      >
        {preview === undefined ? (
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              {names.map((name) => (
                <TextInput key={name} label={merchants.fields[name]} {...form.field(name)} />
              ))}
            </SimpleGrid>
            <Textarea
              label={parts.reason}
              description={parts.reasonHint}
              required
              maxLength={500}
              {...form.field('reason')}
            />
          </Stack>
        ) : (
          <Changes preview={preview} />
        )}
      </FormFrame>
    </Modal>
  )
}

function valuesOf(merchant: Merchant): Values {
  const plan = merchant.feePlans.find(({ method }) => method === 'all')
  const { single, daily, monthly } = merchant.limits
  return {
    name: merchant.name,
    timezone: merchant.timezone,
    feeBps: String(plan?.feeBps ?? ''),
    feeFixed: plan?.feeFixed ?? '',
    refundFee: plan?.refundFee ?? '',
    chargebackFee: plan?.chargebackFee ?? '',
    marginBps: String(plan?.marginBps ?? ''),
    marginDays: String(plan?.marginDays ?? ''),
    settleDays: String(plan?.settleDays ?? ''),
    methods: merchant.methods === 'all' ? 'all' : merchant.methods.join(','),
    limitSingle: single ?? 'none',
    limitDaily: daily ?? 'none',
    limitMonthly: monthly ?? 'none',
    refundCredit: merchant.refundCredit ?? '',
    payoutApproval: merchant.payoutApproval ?? 'none',
    reason: '',
  }
}
