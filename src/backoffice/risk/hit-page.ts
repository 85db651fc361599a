// Where a page of hits begins.
import type { FoundHit } from '../../risk/hit.ts'
import { Problem } from '../problem.ts'

type Position = Pick<FoundHit, 'at' | 'tradeNo' | 'sourceId'>

export function writeAfter({ at, tradeNo, sourceId }: Position): string {
  return `${at.getTime().toString(36)}.${tradeNo}.${sourceId}`
}

export function readAfter(after: string | undefined): Position | undefined {
  if (after === undefined) return undefined
  const form = /^([0-9a-z]{1,10})\.([0-9A-Z]{1,32})\.([0-9A-Z]{1,32})$/
  const [, at = '', tradeNo = '', sourceId = ''] = form.exec(after) ?? []
  if (at === '') throw new Problem('invalid', 'This page does not exist. Go to the first page.')
  return { at: new Date(Number.parseInt(at, 36)), tradeNo, sourceId }
}
