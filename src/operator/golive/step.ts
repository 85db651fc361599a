// A step on the way to live: what it checks, and what an operator does when it is not done. A step changes nothing.
import type { Clock } from '../base/clock.ts'
import type { Checked } from '../channels/protocol.ts'
import type { ChannelSettings } from '../channels/settings.ts'
import type { Config } from '../config.ts'
import type { Finding } from '../doctor/checks.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Db } from '../postgres/db.ts'

/** Each is asked for by the step that needs it, so that a wrong setting, database or file is what its step finds. */
export type StepDeps = {
  /** Throws if a setting is wrong. */
  config(): Config
  /** Throws if it cannot be used. */
  database(): Promise<Db>
  readonly clock: Clock
  /** The doctor's findings. */
  examine(): Promise<readonly Finding[]>
  merchant(merNo: number): Promise<Merchant>
  /** Throws if the channels file is wrong. */
  entries(): Promise<readonly ChannelSettings[]>
  /** Throws if the entry's settings are wrong. */
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

/** What is wrong, if reading settings failed because of them. */
export function wrongSetting(error: unknown): string {
  if (error instanceof SettingError) return error.message
  throw error
}
