// New passwords are stored as Argon2id hashes, each with its own salt and cost. Outdated hashes (scrypt, or another
// cost) are replaced when the person signs in. An Argon2id hash needs 19 MiB of memory. Only two hashes are computed at
// a time and at most 30 calls wait, so a flood of sign-ins cannot take the memory and threads of other work.
import { argon2, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { isEqualSecret } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'

/** The lowest amount of memory that OWASP recommends for two passes. */
const MEMORY_KIB = 19_456
const PASSES = 2
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_AT_ONCE = 2
const MAX_WAITING = 30

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await deriveArgon2(password, salt, MEMORY_KIB, PASSES)
  return ['argon2id', MEMORY_KIB, PASSES, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [scheme, ...parts] = stored.split('$')
  if (scheme === 'argon2id') {
    const [memory = '', passes = '', salt = '', hash = ''] = parts
    const found = await deriveArgon2(password, fromBase64(salt), Number(memory), Number(passes))
    return isEqualSecret(found, fromBase64(hash))
  }
  if (scheme !== 'scrypt') return false
  const [cost = '', salt = '', hash = ''] = parts
  return isEqualSecret(await deriveScrypt(password, fromBase64(salt), Number(cost)), fromBase64(hash))
}

export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`argon2id$${MEMORY_KIB}$${PASSES}$`)
}

/** Takes as long as a comparison with a hash, so the time of a reply does not reveal whether an account exists. */
export async function compareWithNothing(password: string): Promise<void> {
  await deriveArgon2(password, Buffer.alloc(SALT_BYTES), MEMORY_KIB, PASSES)
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function deriveArgon2(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  const message = password.normalize('NFKC')
  const options = { message, nonce, parallelism: 1, tagLength: HASH_BYTES, memory, passes }
  return inTurn((done) => argon2('argon2id', options, done))
}

function deriveScrypt(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // A scrypt hash needs exactly 32 MiB, and Node's default limit allows only less than 32 MiB.
  const options: ScryptOptions = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }
  return inTurn((done) => scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, done))
}

type Done = (error: Error | null, hash: Buffer) => void
const waiting: (() => void)[] = []
let running = 0

function inTurn(derive: (done: Done) => void): Promise<Buffer> {
  if (waiting.length >= MAX_WAITING)
    throw new Problem('overloaded', 'Too many people are signing in. Try again in a moment.', undefined, 5)
  return new Promise((resolve, reject) => {
    waiting.push(() =>
      derive((error, hash) => {
        running--
        startNext()
        if (error === null) resolve(hash)
        else reject(error)
      }),
    )
    startNext()
  })
}

function startNext(): void {
  if (running >= MAX_AT_ONCE) return
  const next = waiting.shift()
  if (next === undefined) return
  running++
  next()
}
