// Permissions decide which routes, buttons and menu entries a person may use. Most routes name the permission that they
// need. A session has the permissions of the person's role. In sandbox, `permissionsIn` may add one.

/** The permissions of a merchant's staff, valid only in their own company. */
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
  'keys.secret',
  'websites.edit',
  'notifications.resend',
  'notifications.edit',
  'company.edit',
  'users.read',
  'users.edit',
  'users.owner',
  'audit.read',
] as const

/** Only operators have these permissions. Operators also have some of the permissions above, for every merchant. */
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
    'users.owner',
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

/** The merchant number of operators. */
export const PLATFORM = 0

/** The permissions of a built-in role. Undefined for any other role. */
export function permissionsOfRole(merNo: number, role: string): readonly Permission[] | undefined {
  const roles: Readonly<Record<string, readonly Permission[]>> =
    merNo === PLATFORM ? operatorRoles : merchantRoles
  return Object.hasOwn(roles, role) ? roles[role] : undefined
}

/** Returns the permissions that a defined role may contain. In a company, only the role `owner` may make owners. */
export function grantable(merNo: number): readonly Permission[] {
  return merNo === PLATFORM ? operatorRoles.admin : merchantPermissions.filter((one) => one !== 'users.owner')
}

/**
 * In sandbox, adds `keys.secret` to permissions with `keys.edit`, because no money moves there and developers need the
 * key. In live, access to keys and listed addresses needs `keys.secret` itself, because the keys sign payouts and the
 * listed addresses may send payouts.
 */
export function permissionsIn(
  mode: 'sandbox' | 'live',
  permissions: readonly Permission[],
): ReadonlySet<Permission> {
  const isEnough = mode === 'sandbox' && permissions.includes('keys.edit')
  return new Set<Permission>(isEnough ? [...permissions, 'keys.secret'] : permissions)
}
