// Who may get which alert: only people who may see what it tells.
import { type AlertKind, type AnyAlert, alertKinds } from '../../mail/mail.ts'
import type { Permission } from '../permissions.ts'

const needs: Readonly<Record<AnyAlert, Permission | undefined>> = {
  approved: 'company.edit',
  'delivery-failed': 'developers.read',
  'dispute-opened': 'disputes.read',
  'dispute-due': 'disputes.read',
  'payout-result': 'payouts.read',
  'key-changed': 'keys.edit',
  'payout-account': 'payouts.read',
  'new-device': undefined,
}

/** Operators see merchants' data in the back office; these alerts are for the merchants' own people. */
const forOperators: readonly AnyAlert[] = ['new-device']

export function mayGetAlert(kind: AnyAlert, merNo: number, permissions: ReadonlySet<string>): boolean {
  if (merNo === 0 && !forOperators.includes(kind)) return false
  const needed = needs[kind]
  return needed === undefined || permissions.has(needed)
}

export function alertsOf(merNo: number, permissions: ReadonlySet<string>): AlertKind[] {
  return alertKinds.filter((kind) => mayGetAlert(kind, merNo, permissions))
}

/**
 * The role that cannot switch it off. The owner always learns of a payout account: whoever pays out to an own account with somebody's session would switch the
 * alert off first.
 */
export function alwaysOnFor(kind: AnyAlert): string | undefined {
  return kind === 'payout-account' ? 'owner' : undefined
}

/** Results of payouts may come by the hundred: only people who ask for them get them. */
export function isOnByDefault(kind: AnyAlert): boolean {
  return kind !== 'payout-result'
}
