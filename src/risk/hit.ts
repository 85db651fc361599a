import type { RuleAction } from './rule.ts'

/** What an entry or rule did to an attempt. */
export type FoundHit = {
  readonly merNo: number
  readonly tradeNo: string
  readonly attemptNo: number
  readonly sourceId: string
  readonly name: string
  readonly action: RuleAction
  readonly watched: boolean
  readonly at: Date
}

export type HitFilter = {
  readonly sourceId: string | undefined
  /** The last one before. */
  readonly after: Pick<FoundHit, 'at' | 'tradeNo' | 'sourceId'> | undefined
}
