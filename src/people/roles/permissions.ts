// The one table of permissions: it decides every route, every button and every menu entry. A route names the permission
// that it needs; a session carries those of its role.

/** What a merchant's staff may do, in their own company only. */
export const merchantPermissions = [
  'overview.read',
  'orders.read',
  'orders.export',
  'refunds.read',
  'refunds.create',
  'payouts.read',
  'payouts.create',
  'payouts.approve',
  'beneficiaries.edit',
  'disputes.read',
  'disputes.answer',
  'reviews.read',
  'reviews.answer',
  'statements.read',
  'links.read',
  'links.edit',
  'developers.read',
  'keys.edit',
  'websites.edit',
  'notifications.resend',
  'notifications.edit',
  'company.edit',
  'users.read',
  'users.edit',
  'audit.read',
] as const

/** What only operators may do. They also have some of the permissions above, for every merchant. */
export const operatorPermissions = [
  'merchants.read',
  'merchants.edit',
  'merchants.approve',
  'approvals.read',
  'approvals.decide',
  'outcomes.read',
  'outcomes.decide',
  'suspense.read',
  'suspense.decide',
  'disputes.decide',
  'reviews.decide',
  'rates.read',
  'rates.edit',
  'channels.read',
  'channels.edit',
  'reconciliation.read',
  'reconciliation.edit',
  'settlement.read',
  'settlement.run',
  'books.read',
  'books.verify',
  'books.correct',
  'risk.read',
  'risk.edit',
  'platform.edit',
] as const

export type MerchantPermission = (typeof merchantPermissions)[number]
export type Permission = MerchantPermission | (typeof operatorPermissions)[number]

const merchantReads = [
  'overview.read',
  'orders.read',
  'refunds.read',
  'payouts.read',
  'disputes.read',
  'reviews.read',
  'statements.read',
  'links.read',
] as const satisfies readonly Permission[]

export const merchantRoles = {
  owner: merchantPermissions,
  finance: [
    ...merchantReads,
    'orders.export',
    'refunds.create',
    'payouts.create',
    'payouts.approve',
    'beneficiaries.edit',
    'disputes.answer',
    'reviews.answer',
    'links.edit',
    'audit.read',
  ],
  developer: [
    ...merchantReads,
    'developers.read',
    'keys.edit',
    'websites.edit',
    'notifications.resend',
    'notifications.edit',
  ],
  support: [
    ...merchantReads,
    'refunds.create',
    'disputes.answer',
    'reviews.answer',
    'links.edit',
    'notifications.resend',
  ],
  viewer: merchantReads,
} as const satisfies Record<string, readonly MerchantPermission[]>

const operatorReads = [
  ...merchantReads,
  'developers.read',
  'merchants.read',
  'approvals.read',
  'outcomes.read',
  'suspense.read',
  'rates.read',
  'channels.read',
  'reconciliation.read',
  'settlement.read',
  'books.read',
  'risk.read',
] as const satisfies readonly Permission[]

export const operatorRoles = {
  admin: [
    ...operatorReads,
    'orders.export',
    'refunds.create',
    'notifications.resend',
    'notifications.edit',
    'users.read',
    'users.edit',
    'audit.read',
    'merchants.edit',
    'merchants.approve',
    'approvals.decide',
    'outcomes.decide',
    'suspense.decide',
    'disputes.answer',
    'disputes.decide',
    'reviews.decide',
    'rates.edit',
    'channels.edit',
    'reconciliation.edit',
    'settlement.run',
    'books.verify',
    'books.correct',
    'risk.edit',
    'platform.edit',
  ],
  finance: [
    ...operatorReads,
    'orders.export',
    'refunds.create',
    'audit.read',
    'approvals.decide',
    'outcomes.decide',
    'suspense.decide',
    'disputes.answer',
    'disputes.decide',
    'rates.edit',
    'reconciliation.edit',
    'settlement.run',
    'books.verify',
    'books.correct',
  ],
  risk: [
    ...operatorReads,
    'audit.read',
    'merchants.approve',
    'approvals.decide',
    'disputes.answer',
    'disputes.decide',
    'reviews.decide',
    'risk.edit',
  ],
  support: [...operatorReads, 'notifications.resend'],
  viewer: operatorReads,
} as const satisfies Record<string, readonly Permission[]>

/** Operators belong to merchant 0, the platform. */
export const PLATFORM = 0

/** Of a built-in role; undefined if it is not one. */
export function permissionsOfRole(merNo: number, role: string): readonly Permission[] | undefined {
  const roles: Readonly<Record<string, readonly Permission[]>> =
    merNo === PLATFORM ? operatorRoles : merchantRoles
  return Object.hasOwn(roles, role) ? roles[role] : undefined
}

/** What a role that people define may contain. */
export function grantable(merNo: number): readonly Permission[] {
  return merNo === PLATFORM ? operatorRoles.admin : merchantPermissions
}
