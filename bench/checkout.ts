// A checkout of this repository: this one, or another version to compare with. Code that changes or checks a gateway's
// database comes from the gateway's own checkout, because the schema may differ.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from './child.ts'

export const thisCheckout = programPath('..')

export async function merchantTools(checkout: string) {
  const { createMerchant }: typeof import('../src/money/merchants/create-merchant.ts') = await import(
    join(checkout, 'src/money/merchants/create-merchant.ts')
  )
  const { readOptions }: typeof import('../src/money/merchants/options.ts') = await import(
    join(checkout, 'src/money/merchants/options.ts')
  )
  return { createMerchant, readOptions }
}

/**
 * Returns the checkout's own `openDb`, because `openDb` recognises only lists that code of the same checkout has made.
 */
export async function databaseTools(checkout: string) {
  const { openDb }: typeof import('../src/platform/postgres/db.ts') = await import(
    join(checkout, 'src/platform/postgres/db.ts')
  )
  return { openDb }
}

export async function ledgerTools(checkout: string) {
  const { verifyLedger }: typeof import('../src/money/ledger/verify-ledger.ts') = await import(
    join(checkout, 'src/money/ledger/verify-ledger.ts')
  )
  return { verifyLedger }
}

/** The flags of Node and the settings of the allocator with which `npm start` runs the gateway. */
export function startFlags(checkout: string): { flags: string[]; env: Record<string, string> } {
  const { scripts }: { scripts: { start: string } } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  )
  const [, flags = ''] = /bin\/node (.*) src\/gateway\/main\.ts$/.exec(scripts.start) ?? []
  const allocator = [...scripts.start.matchAll(/\b(MALLOC_\w+)=(\S+)/g)]
  return {
    flags: flags.split(' '),
    env: Object.fromEntries(allocator.map(([, name = '', value = '']) => [name, value])),
  }
}
