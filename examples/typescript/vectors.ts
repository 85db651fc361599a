// Compares these samples with docs/vectors.json: node vectors.ts FILE. Names what differs, and ends with 1.
import { readFileSync } from 'node:fs'
import { TollgateError, verifyNotification } from '@tollgate/sdk'
import { rsaSign, rsaString } from './rsa-sign.ts'
import { md5Sign, md5String } from './sign.ts'

type Signed = { name: string; path: string; body: Record<string, unknown>; string: string; sign: string }
type Delivery = {
  name: string
  body: string
  headers: Record<string, string>
  signedBy: 'md5' | 'rsa'
  at: number
  event: string | null
}
type KeyName = 'merchantKey' | 'merchantPrivateKey' | 'platformPublicKey' | 'webhookSecret'
type UnusableKey = Omit<Delivery, 'event' | 'signedBy'> & { key: KeyName; value: string | null }
type Vectors = {
  keys: Record<KeyName, string>
  md5: Signed[]
  rsa: Signed[]
  notifications: Delivery[]
  unusableKeys: UnusableKey[]
}

const vectors: Vectors = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { merchantKey, merchantPrivateKey, platformPublicKey, webhookSecret } = vectors.keys

/** Null for a notification that is refused. */
async function eventOf({ body, headers, signedBy, at }: Delivery): Promise<string | null> {
  const keys = signedBy === 'rsa' ? { platformKey: platformPublicKey } : { key: merchantKey }
  Date.now = () => at * 1000 // the SDK compares webhook-timestamp with the clock
  const verified = verifyNotification(body, { ...keys, webhookSecret }, headers)
  return verified.then(({ event }) => event).catch(() => null)
}

function isRefused(call: () => unknown): boolean {
  try {
    call()
    return false
  } catch {
    return true
  }
}

/** True if the program fails because of the key, wherever it uses it. */
async function isUnusable({ key, value, body, headers, at }: UnusableKey): Promise<boolean> {
  const given = value ?? ''
  if (key === 'merchantPrivateKey') return isRefused(() => rsaSign({}, given))
  if (key === 'merchantKey' && !isRefused(() => md5Sign('/payment', {}, value ?? undefined))) return false
  const secrets = {
    ...(key === 'platformPublicKey'
      ? { platformKey: given }
      : { key: key === 'merchantKey' ? given : merchantKey }),
    webhookSecret: key === 'webhookSecret' ? given : webhookSecret,
  }
  Date.now = () => at * 1000
  const error: unknown = await verifyNotification(body, secrets, headers).catch((reason: unknown) => reason)
  return error instanceof TollgateError && error.message.startsWith('the settings cannot be used')
}

const wrong: string[] = []
for (const { name, path, body, string, sign } of vectors.md5)
  if (md5String(path, body) !== string || md5Sign(path, body, merchantKey) !== sign) wrong.push(name)
for (const { name, body, string, sign } of vectors.rsa)
  if (rsaString(body) !== string || rsaSign(body, merchantPrivateKey) !== sign) wrong.push(name)
for (const one of vectors.notifications) if ((await eventOf(one)) !== one.event) wrong.push(one.name)
for (const one of vectors.unusableKeys) if (!(await isUnusable(one))) wrong.push(one.name)

if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exit(1)
}
const { md5, rsa, notifications, unusableKeys } = vectors
console.log([...md5, ...rsa, ...notifications, ...unusableKeys].length, 'vectors agree')
