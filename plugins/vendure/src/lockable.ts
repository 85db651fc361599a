import type { TransactionalConnection } from '@vendure/core'

/** SQLite has no row locks: it runs one writing transaction at a time. */
export function isLockable({ rawConnection }: TransactionalConnection): boolean {
  return ['postgres', 'mysql', 'mariadb', 'aurora-mysql', 'cockroachdb'].includes(rawConnection.options.type)
}
