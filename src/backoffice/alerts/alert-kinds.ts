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
  'account-changed': undefined,
  'new-device': undefined,
}

/** Operators see merchants' data in the back office; these alerts are for the merchants' own people. */
const forOperators: readonly AnyAlert[] = ['account-changed', 'new-device']

export function mayGetAlert(kind: AnyAlert, merNo: number, permissions: ReadonlySet<string>): boolean {
  if (merNo === 0 && !forOperators.includes(kind)) return false
  const needed = needs[kind]
  return needed === undefined || permissions.has(needed)
}

export function alertsOf(merNo: number, permissions: ReadonlySet<string>): AlertKind[] {
  return alertKinds.filter((kind) => mayGetAlert(kind, merNo, permissions))
}

/** Results of payouts may come by the hundred: only people who ask for them get them. */
export function isOnByDefault(kind: AnyAlert): boolean {
  return kind !== 'payout-result'
}
