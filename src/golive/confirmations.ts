// What this machine cannot check alone, an operator confirms. The confirmation is a line of the audit log, and holds for a quarter.
import { readEntries } from '../audit-log/read-entries.ts'
import type { StepDeps } from './step.ts'

/** The action of `golive confirm` in the audit log. */
const ACTION = 'golive.confirm'
const HOLDS_MS = 90 * 86_400_000

export const confirmed = ['backups', 'alarms'] as const
export type Confirmed = (typeof confirmed)[number]

export function isConfirmable(name: string): name is Confirmed {
  return confirmed.some((one) => one === name)
}

/** The reason that was given with the latest confirmation; undefined if there is none, or it is too old. */
export async function findConfirmation(
  { database, clock }: Pick<StepDeps, 'database' | 'clock'>,
  step: Confirmed,
): Promise<string | undefined> {
  const from = new Date(clock.now().getTime() - HOLDS_MS)
  const [latest] = await readEntries(await database(), { merNo: 0, action: ACTION, subject: step, from }, 1)
  return latest && (latest.reason || 'confirmed')
}
