// A checkout of this repository: this one, or another version to compare with. Code that writes to a gateway's database, or
// checks it, comes from the gateway's own checkout, because the schema may differ.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from './child.ts'

export const thisCheckout = programPath('..')

export async function merchantTools(checkout: string) {
  const { createMerchant }: typeof import('../src/merchants/create-merchant.ts') = await import(
    join(checkout, 'src/merchants/create-merchant.ts')
  )
  const { readOptions }: typeof import('../src/merchants/options.ts') = await import(
    join(checkout, 'src/merchants/options.ts')
  )
  return { createMerchant, readOptions }
}

/** Its own: a checkout's lists are known only to its own database. */
export async function databaseTools(checkout: string) {
  const { openDb }: typeof import('../src/postgres/db.ts') = await import(
    join(checkout, 'src/postgres/db.ts')
  )
  return { openDb }
}

export async function ledgerTools(checkout: string) {
  const { verifyLedger }: typeof import('../src/ledger/verify-ledger.ts') = await import(
    join(checkout, 'src/ledger/verify-ledger.ts')
  )
  return { verifyLedger }
}

/** How `npm start` runs it: flags of Node, and settings of the allocator. */
export function startFlags(checkout: string): { flags: string[]; env: Record<string, string> } {
  const { scripts }: { scripts: { start: string } } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  )
  const [, flags = ''] = /bin\/node (.*) src\/main\.ts$/.exec(scripts.start) ?? []
  const allocator = [...scripts.start.matchAll(/\b(MALLOC_\w+)=(\S+)/g)]
  return {
    flags: flags.split(' '),
    env: Object.fromEntries(allocator.map(([, name = '', value = '']) => [name, value])),
  }
}
