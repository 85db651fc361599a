// Makes a plan, or edits its terms. The server makes the change and undoes it, so the preview shows exactly whose terms change.
import { Modal, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes } from '../merchants/changes.tsx'
import type { Terms } from './terms-table.tsx'

export type Edited = {
  /** Undefined: a new plan. */
  readonly plan?: string
  /** Undefined: one is chosen. */
  readonly method: string | undefined
  readonly terms?: Terms
}

type Preview = Reply<'PUT /fee-plans/:plan/:method'>

const names = [
  'feeBps',
  'feeFixed',
  'refundFee',
  'chargebackFee',
  'marginBps',
  'marginDays',
  'settleDays',
] as const

type Props = { readonly of: Edited; readonly close: () => void }

export function EditPlan({ of: { plan, method, terms }, close }: Props) {
  const { feePlans, merchants, orders, parts } = useWords()
  const save = useSend('PUT /fee-plans/:plan/:method')
  const current = useCall(
    'GET /fee-plans/:plan',
    { params: { plan: plan ?? '-' } },
    { enabled: plan !== undefined },
  )
  const [preview, setPreview] = useState<Preview>()
  const before = valuesOf(terms)
  const initial = { ...before, plan: plan ?? '', method: method ?? 'card', reason: '' }
  const form = useForm(initial, async ({ plan: name, method: chosen, reason, ...values }) => {
    const changed = names.filter((one) => values[one] !== before[one])
    const isSure = preview !== undefined
    const version = current.data === undefined ? {} : { version: current.data.version }
    const body = {
      terms: Object.fromEntries(changed.map((one) => [one, values[one]])),
      reason,
      dryRun: !isSure,
      ...version,
    }
    const result = await save({ params: { plan: name, method: chosen }, body })
    if (isSure) close()
    else setPreview(result)
  })
  const methods = [...Object.keys(orders.methods), 'payout'].map((value) => {
    return { value, label: orders.methods[value] ?? (value === 'payout' ? feePlans.payouts : value) }
  })
  const title = plan === undefined ? feePlans.create : feePlans.editTitle(plan)
  return (
    <Modal opened onClose={close} size="lg" title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame
        form={form}
        action={preview === undefined ? merchants.preview : merchants.save}
        cancel={preview === undefined ? close : () => setPreview(undefined)}
      >
        {preview === undefined ? (
          <Stack gap="md">
            {plan === undefined && (
              <TextInput label={feePlans.name} required data-autofocus {...form.field('plan')} />
            )}
            {method === undefined && (
              <NativeSelect label={merchants.plan.method} data={methods} {...form.field('method')} />
            )}
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
          <>
            <Changes
              preview={{ ...preview, changes: preview.changes.filter(({ name }) => name === 'terms') }}
            />
            <Affected of={preview.merchants} />
          </>
        )}
      </FormFrame>
    </Modal>
  )
}

function Affected({ of }: { readonly of: Preview['merchants'] }) {
  const { feePlans } = useWords()
  return (
    <>
      <Text>{feePlans.affected(of.length)}</Text>
      {of.length > 0 && (
        <Text size="sm" c="dimmed">
          {of.map(({ name, merNo }) => `${name} (${merNo})`).join(', ')}
        </Text>
      )}
    </>
  )
}

function valuesOf(terms: Terms | undefined): Record<(typeof names)[number], string> {
  return {
    feeBps: String(terms?.feeBps ?? ''),
    feeFixed: terms?.feeFixed ?? '',
    refundFee: terms?.refundFee ?? '',
    chargebackFee: terms?.chargebackFee ?? '',
    marginBps: String(terms?.marginBps ?? ''),
    marginDays: String(terms?.marginDays ?? ''),
    settleDays: String(terms?.settleDays ?? ''),
  }
}
