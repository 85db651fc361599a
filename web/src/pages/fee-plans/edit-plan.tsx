// The dialog that creates a plan, or edits or removes its terms for a method. The preview lists the merchants whose
// terms change.
import { Text, TextInput } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { feePlansWords } from '../../words/fee-plans.ts'
import { useWords } from '../../words/use-words.tsx'
import { Changes } from '../merchants/changes.tsx'
import { changedIn, EditWithPreview } from '../merchants/edit-with-preview.tsx'
import { MethodField, TermFields, termTexts } from './term-fields.tsx'
import type { Terms } from './terms-table.tsx'

export type Edited = {
  /** The name of the plan. Undefined for a new plan. */
  readonly plan?: string
  readonly version?: string
  /** The method. Undefined if the person chooses it in the form. */
  readonly method: string | undefined
  readonly terms?: Terms
  readonly removes?: boolean
}

type Preview = Reply<'PUT /fee-plans/:plan/:method'>

type Props = { readonly of: Edited; readonly close: () => void }

/**
 * The plan name that is sent if none was typed. No plan may have this name, so the server refuses it with a problem at
 * the field.
 */
const NONE = '-'

export function EditPlan({ of: { plan, version, method, terms, removes = false }, close }: Props) {
  const feePlans = useWords(feePlansWords)
  const save = useSend('PUT /fee-plans/:plan/:method')
  const remove = useSend('DELETE /fee-plans/:plan/:method')
  return (
    <EditWithPreview
      title={plan === undefined ? feePlans.create : feePlans.editTitle(plan)}
      before={{ ...termTexts(terms), plan: plan ?? '', method: method ?? 'card' }}
      version={version}
      close={close}
      send={(entered, editing, before) => {
        const params = { plan: entered.plan?.trim() || NONE, method: entered.method ?? '' }
        const { plan: _plan, method: _method, ...changed } = changedIn(before, entered)
        return removes
          ? remove({ params, body: editing })
          : save({ params, body: { ...editing, isNew: plan === undefined, terms: changed } })
      }}
      preview={(preview) => (
        <>
          <Changes preview={preview} />
          <Affected of={preview.merchants} />
        </>
      )}
    >
      {(form) => (
        <>
          {plan === undefined && (
            <TextInput label={feePlans.name} required data-autofocus {...form.field('plan')} />
          )}
          {method === undefined && (
            <MethodField field={form.field('method')} more={[{ value: 'payout', label: feePlans.payouts }]} />
          )}
          {!removes && <TermFields form={form} />}
        </>
      )}
    </EditWithPreview>
  )
}

function Affected({ of }: { readonly of: Preview['merchants'] }) {
  const feePlans = useWords(feePlansWords)
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
