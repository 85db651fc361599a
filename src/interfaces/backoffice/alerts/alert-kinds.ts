// Decides who may get which alert. A person gets only alerts whose content the person may see in the back office.
import type { Permission } from '../../../people/roles/permissions.ts'
import type { AlwaysOn } from '../../../people/users/alert-settings.ts'
import { type AlertKind, type AnyAlert, alertKinds } from '../../../platform/mail/mail.ts'

/** The permissions for each alert. A person needs at least one of them. If undefined, everybody may get the alert. */
const needs: Readonly<Record<AnyAlert, readonly Permission[] | undefined>> = {
  approved: ['company.edit'],
  'key-permission': ['company.edit'],
  'delivery-failed': ['developers.read'],
  'dispute-opened': ['disputes.read'],
  'dispute-due': ['disputes.read'],
  'payout-result': ['payouts.read'],
  'key-changed': ['keys.edit', 'keys.secret'],
  'payout-account': ['payouts.read'],
  'new-device': undefined,
}

/**
 * The only alerts for operators. All other alerts are about a merchant's data, which operators see in the back office.
 */
const forOperators: readonly AnyAlert[] = ['new-device']

export function mayGetAlert(kind: AnyAlert, merNo: number, permissions: ReadonlySet<string>): boolean {
  if (merNo === 0 && !forOperators.includes(kind)) return false
  return needs[kind]?.some((one) => permissions.has(one)) ?? true
}

export function alertsOf(merNo: number, permissions: ReadonlySet<string>): AlertKind[] {
  return alertKinds.filter((kind) => mayGetAlert(kind, merNo, permissions))
}

/**
 * Says who cannot switch the alert off: everybody, the owners, or nobody (undefined). Otherwise a thief with a stolen
 * session could first switch off the mails about payout accounts and changed keys.
 */
export function alwaysOnFor(kind: AnyAlert): AlwaysOn {
  return kind === 'key-changed' ? 'everybody' : kind === 'payout-account' ? 'owner' : undefined
}

export function isAlwaysOn(kind: AnyAlert, role: string): boolean {
  const always = alwaysOnFor(kind)
  return always === 'everybody' || always === role
}

/**
 * True for alerts that are on until a person switches them off. Alerts about payout results are off by default, because
 * there may be hundreds.
 */
export function isOnByDefault(kind: AnyAlert): boolean {
  return kind !== 'payout-result'
}
