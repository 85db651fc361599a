// What a line of a channel's statement means beside what we know. Pure rules.
import type { Money } from '../base/money.ts'
import type { SuspenseCause } from '../suspense/suspense.ts'
import type { StatementLine } from './statement-line.ts'

/** How we know the reference. */
export type Ours = {
  readonly merNo: number
  readonly tradeNo: string
  readonly money: Money
  readonly standing: 'done' | 'open' | 'failed'
}

export type Judgement = {
  readonly kind: 'matched' | 'missing here' | 'open here' | 'differs' | 'twice'
  /** Money that came and that we have no place for; undefined when nothing came, or we cannot tell yet. */
  readonly unmatched?: { readonly reference: string; readonly money: Money; readonly why: SuspenseCause }
}

/** `occurrence`: 1 when the file names the reference for the first time. */
export function judgeLine(line: StatementLine, ours: Ours | undefined, occurrence: number): Judgement {
  const { reference, money } = line
  if (occurrence > 1) {
    const again = { reference: `${reference}#${occurrence}`, money, why: 'unmatched' } as const
    return came(line, { kind: 'twice', unmatched: again })
  }
  if (ours === undefined)
    return came(line, { kind: 'missing here', unmatched: { reference, money, why: 'unmatched' } })
  if (ours.standing === 'failed')
    return came(line, { kind: 'missing here', unmatched: { reference, money, why: 'late' } })
  // The resolver asks until it knows; then it is booked as what it is, and not before.
  if (ours.standing === 'open') return { kind: 'open here' }
  return compare(line, ours)
}

function compare(line: StatementLine, { money: ours }: Ours): Judgement {
  const { reference, money: theirs } = line
  if (theirs.currency !== ours.currency) return { kind: 'differs' }
  if (theirs.amount === ours.amount) return { kind: 'matched' }
  if (theirs.amount < ours.amount) return { kind: 'differs' }
  const money = { amount: theirs.amount - ours.amount, currency: ours.currency }
  const surplus = { reference: `surplus of ${reference}`, money, why: 'surplus' } as const
  return came(line, { kind: 'differs', unmatched: surplus })
}

/** Only payments bring money. What a channel says that it paid out is a claim of its, for people to look at. */
function came({ type }: StatementLine, { kind, unmatched }: Judgement): Judgement {
  return type === 'payment' && unmatched !== undefined ? { kind, unmatched } : { kind }
}
