import { State, type StateNumber } from '../../orders/order.ts'

const processing: readonly StateNumber[] = [State.processing, State.informationAsked, State.inReview]
const failed: readonly StateNumber[] = [State.failed, State.cancelled]

/** The three states of `queryType` `sales`. A paid order stays a success, whatever happens to its money later. */
export function salesState(state: StateNumber): 1 | 2 | 3 {
  if (processing.includes(state)) return 1
  return failed.includes(state) ? 2 : 3
}
