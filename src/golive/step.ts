// A step on the way to live: what it checks, and what an operator does when it is not done. A step changes nothing.
import type { Clock } from '../base/clock.ts'
import type { Checked } from '../channels/protocol.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import type { Config } from '../config.ts'
import type { Finding } from '../doctor/checks.ts'
import type { Db } from '../postgres/db.ts'

export type StepDeps = {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  /** The doctor's findings. */
  examine(): Promise<readonly Finding[]>
  readonly entries: readonly ChannelSettings[]
  check(entry: ChannelSettings): Promise<Checked>
}

export type StepResult = {
  readonly isDone: boolean
  readonly found: string
  /** What to do next; absent when it is done. */
  readonly todo?: string
}

export type Step = {
  readonly name: string
  readonly title: string
  check(deps: StepDeps): Promise<StepResult>
}

export function done(found: string): StepResult {
  return { isDone: true, found }
}

export function missing(found: string, todo: string): StepResult {
  return { isDone: false, found, todo }
}
