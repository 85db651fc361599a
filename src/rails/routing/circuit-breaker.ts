// Which channels keep failing. After some failures in a row a channel is set aside; after a while one call tries it again. Each
// process keeps this in memory only, and logs when a channel begins to fail and when it is back, not what lies between. One that
// fails and answers by turns is logged once in a while.
import type { Clock } from '../base/clock.ts'

const FAILURES_IN_A_ROW = 5
const ASIDE_MS = 30_000

export type Breaker = {
  isOpen(name: string): boolean
  /** All that are set aside. */
  open(): readonly string[]
  /** The caller tries the channel. If it was set aside before, it stays so for all others until the outcome is recorded. */
  trying(name: string): void
  record(name: string, isTrouble: boolean): void
  /** There was no call after all: the next one may try. */
  untried(name: string): void
}

type Trouble = { readonly inARow: number; readonly asideUntilMs: number; readonly isTried: boolean }

export type BreakerLog = {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export type BreakerOptions = {
  readonly clock: Clock
  /** What is sent to channels, for the log. */
  readonly calls: 'payments' | 'payouts'
  readonly log?: BreakerLog | undefined
}

export function createBreaker({ clock, calls, log }: BreakerOptions): Breaker {
  const troubles = new Map<string, Trouble>()
  const warnings = new Map<string, { readonly atMs: number; readonly isOver: boolean }>()

  function warn(name: string, inARow: number): void {
    const last = warnings.get(name)
    const atMs = clock.now().getTime()
    if (last !== undefined && (!last.isOver || atMs - last.atMs < ASIDE_MS)) return
    warnings.set(name, { atMs, isOver: false })
    log?.warn(
      { channel: name, calls, inARow },
      `a channel is set aside: for ${ASIDE_MS / 1_000} s new ${calls} go to others first, if there are any; run "channel check" with its name`,
    )
  }

  function endWarning(name: string): void {
    const last = warnings.get(name)
    if (last === undefined || last.isOver) return
    warnings.set(name, { ...last, isOver: true })
    log?.info({ channel: name, calls }, 'a channel answers again')
  }

  function setAside(name: string, inARow: number, isTried: boolean): void {
    troubles.set(name, { inARow, asideUntilMs: clock.now().getTime() + ASIDE_MS, isTried })
  }

  const isOpen = (name: string) => (troubles.get(name)?.asideUntilMs ?? 0) > clock.now().getTime()

  return {
    isOpen,
    open: () => [...troubles.keys()].filter(isOpen),
    trying(name) {
      const inARow = troubles.get(name)?.inARow ?? 0
      if (inARow >= FAILURES_IN_A_ROW) setAside(name, inARow, true)
    },
    untried(name) {
      const trouble = troubles.get(name)
      if (trouble?.isTried) troubles.set(name, { ...trouble, asideUntilMs: 0, isTried: false })
    },
    record(name, isTrouble) {
      const before = troubles.get(name)?.inARow ?? 0
      const inARow = before + 1
      if (!isTrouble) {
        troubles.delete(name)
        if (before >= FAILURES_IN_A_ROW) endWarning(name)
      } else if (inARow >= FAILURES_IN_A_ROW) {
        setAside(name, inARow, false)
        warn(name, inARow)
      } else troubles.set(name, { inARow, asideUntilMs: 0, isTried: false })
    },
  }
}

/** Those that are set aside come last. The first one is tried. */
export function orderByHealth<Named extends { readonly name: string }>(
  breaker: Breaker,
  order: readonly Named[],
): readonly Named[] {
  const ready = order.filter(({ name }) => !breaker.isOpen(name))
  const [first] = ready
  if (first !== undefined) breaker.trying(first.name)
  return [...ready, ...order.filter((one) => !ready.includes(one))]
}
