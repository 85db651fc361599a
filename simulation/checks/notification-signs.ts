// Verifies notifications as merchants do, by the documented rules. Only the keys are decrypted with the gateway's code.
import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { sealContext } from '../../src/money/merchants/keys.ts'
import { openVault } from '../../src/platform/base/secret.ts'
import type { Notification } from '../world/merchants.ts'
import type { World } from '../world/world.ts'

/** All keys that merchants ever had. A replaced key still signs until the merchant uses its successor. */
export type Keys = {
  readonly md5: ReadonlyMap<number, readonly string[]>
  readonly webhook: ReadonlyMap<number, readonly string[]>
  readonly platformPem: string | undefined
}

type KeyRow = {
  readonly mer_no: bigint
  readonly key_id: string
  readonly kind: 'md5' | 'webhook'
  readonly sealed: Buffer
}

export async function readKeys({ db, masterKey }: World): Promise<Keys> {
  const vault = openVault(Buffer.from(masterKey, 'hex'))
  const rows = await db.query<KeyRow>({
    text: `select mer_no, key_id, kind, sealed from merchant_keys where kind in ('md5', 'webhook')`,
  })
  const [platform] = await db.query<{ public_pem: string }>({ text: 'select public_pem from platform_keys' })
  const byMerchant = (kind: KeyRow['kind']) => {
    const own = Map.groupBy(
      rows.filter((row) => row.kind === kind),
      ({ mer_no }) => Number(mer_no),
    )
    const open = (row: KeyRow) => vault.open(row.sealed, sealContext(Number(row.mer_no), kind, row.key_id))
    return new Map([...own].map(([merNo, keys]) => [merNo, keys.map(open)]))
  }
  return { md5: byMerchant('md5'), webhook: byMerchant('webhook'), platformPem: platform?.public_pem }
}

export function fieldsOf({ contentType, body }: Notification): Readonly<Record<string, unknown>> {
  if (contentType.startsWith('application/json')) return JSON.parse(body)
  return Object.fromEntries(new URLSearchParams(body))
}

export function hasRightSign(event: string, merNo: number, delivery: Notification, keys: Keys): boolean {
  const { sign, ...fields } = fieldsOf(delivery)
  const names = Object.keys(fields).filter((name) => fields[name] !== '' && fields[name] !== null)
  const text = `event=${event}&${names
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')}`
  if (/^[0-9A-F]{32}$/.test(String(sign)))
    return (keys.md5.get(merNo) ?? []).some((key) => md5(text + key) === sign)
  if (keys.platformPem === undefined) return false
  return verify(
    'sha256',
    Buffer.from(text),
    createPublicKey(keys.platformPem),
    Buffer.from(String(sign), 'base64'),
  )
}

export function hasRightWebhookSignature(merNo: number, delivery: Notification, keys: Keys): boolean {
  const { webhookId, timestamp, signature, body } = delivery
  return (keys.webhook.get(merNo) ?? []).some((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const mac = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64')
    return signature === `v1,${mac}`
  })
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex').toUpperCase()
}

/** True if the merchant's key was ever changed. */
export function isRotated(merNo: number, keys: Keys): boolean {
  return (keys.md5.get(merNo) ?? []).length > 1
}
