import { State, type StateNumber } from '../../orders/states.ts'

const processing: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]
const failed: readonly StateNumber[] = [State.failed, State.cancelled]

/** The query knows three states only: what was paid stays a success, whatever happened to its money later. */
export function salesState(state: StateNumber): 1 | 2 | 3 {
  if (processing.includes(state)) return 1
  return failed.includes(state) ? 2 : 3
}
