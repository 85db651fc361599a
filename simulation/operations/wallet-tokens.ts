// Creates tokens as a payer's device does, with the keys of the sandbox's wallets.
import { join } from 'node:path'
import { mintAppleToken } from '../../sandbox/wallets/apple-token.ts'
import { makeChain } from '../../sandbox/wallets/certificates.ts'
import { mintGoogleToken } from '../../sandbox/wallets/google-token.ts'
import { readOrCreateKeys } from '../../sandbox/wallets/keys.ts'
import type { World } from '../world/world.ts'

export function appleToken({ dataDir }: World, amount: string, currency: string): string {
  const keys = readOrCreateKeys(join(dataDir, 'sandbox', 'apple-pay.keys'), [
    'root',
    'intermediate',
    'leaf',
    'merchant',
  ])
  return mintAppleToken(keys, makeChain(keys), { amount, currency }, new Date())
}

export function googleToken({ dataDir }: World, merNo: number): string {
  const keys = readOrCreateKeys(join(dataDir, 'sandbox', 'google-pay.keys'), [
    'root',
    'intermediate',
    'merchant',
  ])
  return mintGoogleToken(keys, String(merNo), new Date())
}
