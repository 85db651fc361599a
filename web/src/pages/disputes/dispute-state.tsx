import type { RowOf } from '../../api/use-call.ts'
import { StateLabel, type Tone } from '../../parts/state-label.tsx'
import { casesWords } from '../../words/cases.ts'
import { disputesWords } from '../../words/disputes.ts'
import { useWords } from '../../words/use-words.tsx'

type Dispute = RowOf<'GET /disputes'>

const tones: Readonly<Record<Dispute['state'], Tone>> = {
  inquiry: 'waiting',
  closed: 'neutral',
  open: 'waiting',
  won: 'done',
  lost: 'error',
}

export function isUndecided({ state }: Pick<Dispute, 'state'>): boolean {
  return state === 'open' || state === 'inquiry'
}

/** The state of a dispute. A label is added if the deadline of an undecided dispute has passed. */
export function DisputeState({ of: { state, isOverdue } }: { readonly of: Dispute }) {
  const cases = useWords(casesWords)
  const disputes = useWords(disputesWords)
  return (
    <StateLabel tone={isOverdue ? 'error' : tones[state]}>
      {isOverdue ? `${cases.states[state]}, ${disputes.overdue}` : cases.states[state]}
    </StateLabel>
  )
}
