// The logo on a merchant's payment pages. The file type is determined from the content, never from a name or a header:
// a file that a browser renders as a document could run scripts in the origin of our pages.

import { hash } from 'node:crypto'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { selectLogo } from './sql.ts'

export type Logo = { readonly type: 'image/png' | 'image/jpeg'; readonly bytes: Buffer }

const MOST_BYTES = 65_536
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

export function readLogo(bytes: Buffer): Buffer {
  if (bytes.length > MOST_BYTES)
    throw new OperatorRefusal('the logo is larger than 64 KiB: use a smaller file')
  if (typeOf(bytes) !== undefined) return bytes
  throw new OperatorRefusal('the logo must be a PNG or JPEG file')
}

export async function findLogo(db: Queryable, merNo: number): Promise<Logo | undefined> {
  const bytes = await selectLogo(db, merNo)
  const type = bytes && typeOf(bytes)
  return bytes && type && { type, bytes }
}

/** Returns the fingerprint of the logo, which differs for every image. Null if there is no logo. */
export async function logoFingerprint(db: Queryable, merNo: number): Promise<string | null> {
  const bytes = await selectLogo(db, merNo)
  return bytes === undefined ? null : hash('sha256', bytes, 'hex').slice(0, 16)
}

function typeOf(bytes: Buffer): Logo['type'] | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png'
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : undefined
}
