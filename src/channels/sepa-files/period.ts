// The time that a statement is about, by its balances. Some banks send one for a month beside those of its days.
import type { RecordBody } from '../store.ts'
import type { Statement } from './camt.ts'
import { shown, textIn } from './transfers.ts'

export type Period = {
  /** The balances; '' if the statement has none. */
  readonly opening: string
  readonly closing: string
  /** Their days. */
  readonly openedOn: string
  readonly closedOn: string
}

export function periodOf({ opening, closing }: Pick<Statement, 'opening' | 'closing'>): Period {
  return {
    opening: opening === undefined ? '' : shown(opening),
    closing: closing === undefined ? '' : shown(closing),
    openedOn: opening?.day ?? '',
    closedOn: closing?.day ?? '',
  }
}

/** An older version did not write the days. */
export function periodIn(body: RecordBody): Period {
  const text = (name: keyof Period) => textIn(body, name)
  return {
    opening: text('opening'),
    closing: text('closing'),
    openedOn: text('openedOn'),
    closedOn: text('closedOn'),
  }
}

/** Whether the longer one lists all bookings of the other one: it begins before it and ends after it. */
export function covers(long: Period, short: Period): boolean {
  if (!hasDays(long) || !hasDays(short)) return false
  return long.openedOn < short.openedOn && long.closedOn > short.closedOn
}

/**
 * Whether it may do so, because it begins or ends with the other one, by day and balance. Statements of one day that follow each other
 * do, too, if the balance is as it was before.
 */
export function mayCover(long: Period, short: Period): boolean {
  if (!hasDays(long) || !hasDays(short)) return false
  const isSameStart = long.openedOn === short.openedOn && long.opening === short.opening
  const isSameEnd = long.closedOn === short.closedOn && long.closing === short.closing
  return (isSameStart && long.closedOn > short.closedOn) || (isSameEnd && long.openedOn < short.openedOn)
}

/** Whether both may list a booking, and each also others. Those that follow each other share no more than a day. */
export function overlaps(one: Period, other: Period): boolean {
  const [first, last] = one.openedOn < other.openedOn ? [one, other] : [other, one]
  if (first.openedOn === '' || first.openedOn === last.openedOn) return false
  return last.openedOn < first.closedOn && first.closedOn < last.closedOn
}

function hasDays({ openedOn, closedOn }: Period): boolean {
  return openedOn !== '' && closedOn !== ''
}
