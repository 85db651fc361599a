// Makes a plan, or edits or removes its terms. The preview shows whose terms change.
import { Text, TextInput } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes } from '../merchants/changes.tsx'
import { changedIn, EditWithPreview } from '../merchants/edit-with-preview.tsx'
import { MethodField, TermFields, termTexts } from './term-fields.tsx'
import type { Terms } from './terms-table.tsx'

export type Edited = {
  /** Undefined: a new plan. */
  readonly plan?: string
  /** Undefined: one is chosen. */
  readonly method: string | undefined
  readonly terms?: Terms
  readonly removes?: boolean
}

type Preview = Reply<'PUT /fee-plans/:plan/:method'>

type Props = { readonly of: Edited; readonly close: () => void }

export function EditPlan({ of: { plan, method, terms, removes = false }, close }: Props) {
  const { feePlans } = useWords()
  const save = useSend('PUT /fee-plans/:plan/:method')
  const remove = useSend('DELETE /fee-plans/:plan/:method')
  const current = useCall(
    'GET /fee-plans/:plan',
    { params: { plan: plan ?? '-' } },
    { enabled: plan !== undefined },
  )
  const before = removes ? {} : termTexts(terms)
  return (
    <EditWithPreview
      title={plan === undefined ? feePlans.create : feePlans.editTitle(plan)}
      before={{ ...before, plan: plan ?? '', method: method ?? 'card' }}
      close={close}
      send={(entered, dryRun) => {
        const { plan: name = '', method: chosen = '', reason } = entered
        const version = current.data === undefined ? {} : { version: current.data.version }
        const params = { plan: name, method: chosen }
        const body = { reason, dryRun, ...version }
        return removes
          ? remove({ params, body })
          : save({ params, body: { ...body, terms: changedIn(before, entered) } })
      }}
      preview={(preview) => (
        <>
          <Changes
            preview={{ ...preview, changes: preview.changes.filter(({ name }) => name === 'terms') }}
          />
          <Affected of={preview.merchants} />
        </>
      )}
    >
      {(form) => (
        <>
          {plan === undefined && (
            <TextInput label={feePlans.name} required data-autofocus {...form.field('plan')} />
          )}
          {method === undefined && <MethodField field={form.field('method')} payouts={feePlans.payouts} />}
          {!removes && <TermFields form={form} />}
        </>
      )}
    </EditWithPreview>
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
