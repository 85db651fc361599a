// What a rule would have done to the payments of some days.

export const trialOutcomes = ['succeeded', 'refunded', 'chargedBack', 'failed', 'open'] as const
export type TrialOutcome = (typeof trialOutcomes)[number]

export type Trial = {
  readonly days: number
  /** What it covers of these days if there was too much to count; else it covers them all. */
  readonly covers?: { readonly from: string; readonly until: string }
  /** That were looked at. */
  readonly orders: number
  readonly hits: number
  /** Of the hits, in US dollars. */
  readonly usd: string
  readonly outcomes: readonly { readonly name: TrialOutcome; readonly orders: number; readonly usd: string }[]
  /** The newest hits. */
  readonly examples: readonly {
    readonly tradeNo: string
    readonly merNo: number
    readonly at: string
    readonly method: string
    readonly money: { readonly amount: string; readonly currency: string }
    readonly outcome: TrialOutcome
  }[]
}
