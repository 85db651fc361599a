import { merNoOf } from '../base/id.ts'
import { type Caller, isOperator } from './caller.ts'
import { Problem } from './problem.ts'

/** The merchant of an id. Another merchant's id looks to staff as if it did not exist. */
export function ownOnly(caller: Pick<Caller, 'merNo'>, id: string): number {
  const merNo = merNoOf(id)
  if (merNo === undefined || (!isOperator(caller) && merNo !== caller.merNo))
    throw new Problem('not-found', `There is nothing under ${id}.`)
  return merNo
}
