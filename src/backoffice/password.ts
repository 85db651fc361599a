// Passwords are stored as scrypt hashes, each with its own salt and cost.
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { isEqualSecret } from '../base/secret.ts'

const COST = 2 ** 15
const SALT_BYTES = 16
const HASH_BYTES = 32

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [scheme, cost = '', salt = '', hash = ''] = stored.split('$')
  if (scheme !== 'scrypt') return false
  const wanted = Buffer.from(hash, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), Number(cost))
  return isEqualSecret(found, wanted)
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // Node's default limit of 32 MiB is exactly what this cost needs, and Node refuses at the limit.
  const options: ScryptOptions = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash)
      else reject(error)
    })
  })
}
