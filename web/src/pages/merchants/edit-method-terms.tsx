// Terms of a merchant for one method. Without them the method has those for all methods.
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../words/use-words.tsx'
import { MethodField, TermFields, termTexts } from '../fee-plans/term-fields.tsx'
import type { Terms } from '../fee-plans/terms-table.tsx'
import { changedIn, EditWithPreview } from './edit-with-preview.tsx'

export type EditedTerms = {
  /** Undefined: one is chosen. */
  readonly method: string | undefined
  readonly terms?: Terms
  readonly removes?: boolean
}

type Props = {
  readonly merNo: number
  readonly version: string
  readonly of: EditedTerms
  readonly close: () => void
}

export function EditMethodTerms({ merNo, version, of: { method, terms, removes = false }, close }: Props) {
  const { merchants, feePlans } = useWords()
  const save = useSend('PUT /merchants/:merNo/plans/:method')
  const remove = useSend('DELETE /merchants/:merNo/plans/:method')
  const before = removes ? {} : termTexts(terms)
  return (
    <EditWithPreview
      title={
        removes ? merchants.removeTermsTitle : method === undefined ? feePlans.addMethod : merchants.editTitle
      }
      before={{ ...before, method: method ?? 'card' }}
      close={close}
      send={(entered, dryRun) => {
        const { method: chosen = '', reason } = entered
        const params = { merNo, method: chosen }
        const body = { version, reason, dryRun }
        return removes
          ? remove({ params, body })
          : save({ params, body: { ...body, terms: changedIn(before, entered) } })
      }}
    >
      {(form) => (
        <>
          {method === undefined && <MethodField field={form.field('method')} />}
          {!removes && <TermFields form={form} />}
        </>
      )}
    </EditWithPreview>
  )
}
