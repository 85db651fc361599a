// The dialog for a merchant's terms for one method. If a method has no terms of its own, the terms for all methods
// apply.
import { useSend } from '../../api/use-call.ts'
import { feePlansWords } from '../../words/fee-plans.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { useWords } from '../../words/use-words.tsx'
import { MethodField, TermFields, termTexts } from '../fee-plans/term-fields.tsx'
import type { Terms } from '../fee-plans/terms-table.tsx'
import { changedIn, EditWithPreview } from './edit-with-preview.tsx'

export type EditedTerms = {
  /** The method. Undefined if the person chooses it in the form. */
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
  const merchants = useWords(merchantsWords)
  const feePlans = useWords(feePlansWords)
  const save = useSend('PUT /merchants/:merNo/plans/:method')
  const remove = useSend('DELETE /merchants/:merNo/plans/:method')
  return (
    <EditWithPreview
      title={
        removes ? merchants.removeTermsTitle : method === undefined ? feePlans.addMethod : merchants.editTitle
      }
      before={{ ...termTexts(terms), method: method ?? 'card' }}
      version={version}
      close={close}
      send={(entered, editing, before) => {
        const params = { merNo, method: entered.method ?? '' }
        const { method: _method, ...changed } = changedIn(before, entered)
        return removes
          ? remove({ params, body: editing })
          : save({ params, body: { ...editing, terms: changed } })
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
