// The circuit breakers of channels, in the memory of each process: one for the payments and one for the payouts of each
// entry of the channels file. Five failures in a row open a breaker: for 30 seconds, other channels are tried first.
// Then one call tries the channel again, and its outcome closes the breaker or opens it for another 30 seconds.
//
// A channel fails if it cannot be reached, does not answer, or does not accept our credentials. A declined or refused
// payment or payout is not a failure: otherwise one merchant could open the breakers of channels that all merchants
// use.
// See docs/decisions/0372-what-opens-a-breaker.md.
import type { Clock } from '../../platform/base/clock.ts'

const FAILURES_IN_A_ROW = 5
const OPEN_MS = 30_000

export type Breaker = {
  isOpen(name: string): boolean
  open(): readonly string[]
  /**
   * Records that the caller tries the channel. After five failures in a row, the breaker then stays open for all other
   * callers until the outcome of the call is recorded, but for at most 30 seconds.
   */
  trying(name: string): void
  record(name: string, isTrouble: boolean): void
  /** Records that the caller of `trying` made no call, so that the next caller may try the channel. */
  untried(name: string): void
}

type Trouble = { readonly inARow: number; readonly openUntilMs: number; readonly isTried: boolean }

export type BreakerLog = {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export type BreakerOptions = {
  readonly clock: Clock
  /** The kind of calls, for the log. */
  readonly calls: 'payments' | 'payouts'
  readonly log?: BreakerLog | undefined
}

export function createBreaker({ clock, calls, log }: BreakerOptions): Breaker {
  const troubles = new Map<string, Trouble>()
  const warnings = new Map<string, { readonly atMs: number; readonly isOver: boolean }>()

  /**
   * Warns once while a channel fails, and at most once in 30 seconds if the channel alternates between failures and
   * answers.
   */
  function warn(name: string, inARow: number): void {
    const last = warnings.get(name)
    const atMs = clock.now().getTime()
    if (last !== undefined && (!last.isOver || atMs - last.atMs < OPEN_MS)) return
    warnings.set(name, { atMs, isOver: false })
    log?.warn(
      { channel: name, calls, inARow },
      `a channel's circuit breaker is open: for ${OPEN_MS / 1_000} s new ${calls} go to others first, if there are any; run "channel check" with its name`,
    )
  }

  function endWarning(name: string): void {
    const last = warnings.get(name)
    if (last === undefined || last.isOver) return
    warnings.set(name, { ...last, isOver: true })
    log?.info({ channel: name, calls }, 'a channel answers again')
  }

  function openBreaker(name: string, inARow: number, isTried: boolean): void {
    troubles.set(name, { inARow, openUntilMs: clock.now().getTime() + OPEN_MS, isTried })
  }

  const isOpen = (name: string) => (troubles.get(name)?.openUntilMs ?? 0) > clock.now().getTime()

  return {
    isOpen,
    open: () => [...troubles.keys()].filter(isOpen),
    trying(name) {
      const inARow = troubles.get(name)?.inARow ?? 0
      if (inARow >= FAILURES_IN_A_ROW) openBreaker(name, inARow, true)
    },
    untried(name) {
      const trouble = troubles.get(name)
      if (trouble?.isTried) troubles.set(name, { ...trouble, openUntilMs: 0, isTried: false })
    },
    record(name, isTrouble) {
      const before = troubles.get(name)?.inARow ?? 0
      const inARow = before + 1
      if (!isTrouble) {
        troubles.delete(name)
        if (before >= FAILURES_IN_A_ROW) endWarning(name)
      } else if (inARow >= FAILURES_IN_A_ROW) {
        openBreaker(name, inARow, false)
        warn(name, inARow)
      } else troubles.set(name, { inARow, openUntilMs: 0, isTried: false })
    },
  }
}

/**
 * Moves the channels whose circuit breaker is open to the end. Then marks the first channel as being tried, unless the
 * breakers of all channels are open.
 */
export function orderByHealth<Named extends { readonly name: string }>(
  breaker: Breaker,
  order: readonly Named[],
): readonly Named[] {
  const ready = order.filter(({ name }) => !breaker.isOpen(name))
  const [first] = ready
  if (first !== undefined) breaker.trying(first.name)
  return [...ready, ...order.filter((one) => !ready.includes(one))]
}
