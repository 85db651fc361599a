// Compares these samples with docs/vectors.json: node vectors.ts FILE. Names what differs, and ends with 1.
import { readFileSync } from 'node:fs'
import { verifyNotification } from '@tollgate/sdk'
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
type Vectors = {
  keys: Record<'merchantKey' | 'merchantPrivateKey' | 'platformPublicKey' | 'webhookSecret', string>
  md5: Signed[]
  rsa: Signed[]
  notifications: Delivery[]
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

const wrong: string[] = []
for (const { name, path, body, string, sign } of vectors.md5)
  if (md5String(path, body) !== string || md5Sign(path, body, merchantKey) !== sign) wrong.push(name)
for (const { name, body, string, sign } of vectors.rsa)
  if (rsaString(body) !== string || rsaSign(body, merchantPrivateKey) !== sign) wrong.push(name)
for (const one of vectors.notifications) if ((await eventOf(one)) !== one.event) wrong.push(one.name)

if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exit(1)
}
console.log(vectors.md5.length + vectors.rsa.length + vectors.notifications.length, 'vectors agree')
