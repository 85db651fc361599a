// Who may get which alert: only people who may see what it tells.
import { type AlertKind, alertKinds } from '../../mail/mail.ts'
import type { Permission } from '../permissions.ts'

const needs: Readonly<Record<AlertKind, Permission | undefined>> = {
  'delivery-failed': 'developers.read',
  'dispute-opened': 'disputes.read',
  'dispute-due': 'disputes.read',
  'payout-result': 'payouts.read',
  'key-changed': 'keys.edit',
  'account-changed': undefined,
  'new-device': undefined,
}

/** Operators see merchants' data in the back office; these alerts are for the merchants' own people. */
const forOperators: readonly AlertKind[] = ['account-changed', 'new-device']

export function mayGetAlert(kind: AlertKind, merNo: number, permissions: ReadonlySet<string>): boolean {
  if (merNo === 0 && !forOperators.includes(kind)) return false
  const needed = needs[kind]
  return needed === undefined || permissions.has(needed)
}

export function alertsOf(merNo: number, permissions: ReadonlySet<string>): AlertKind[] {
  return alertKinds.filter((kind) => mayGetAlert(kind, merNo, permissions))
}
