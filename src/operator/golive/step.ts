// A step on the way to live. The check of a step changes nothing. The check reports that the step is done, or what an
// operator must do.

import type { Merchant } from '../../money/merchants/merchant.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Checked } from '../../rails/contract/protocol.ts'
import type { ChannelSettings } from '../../rails/contract/settings.ts'
import type { Finding } from '../doctor/checks.ts'

/**
 * The dependencies that a step may open. A step opens only what it needs, so a mistake in the channels file fails only
 * the steps that read the file.
 */
export type StepDeps = {
  /** Throws if a setting is wrong. */
  config(): Config
  /** Throws if the database cannot be used. */
  database(): Promise<Db>
  readonly clock: Clock
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
  /** The next action. Missing if the step is done. */
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

/** Returns the message of a SettingError. Throws other errors again. */
export function wrongSetting(error: unknown): string {
  if (error instanceof SettingError) return error.message
  throw error
}
