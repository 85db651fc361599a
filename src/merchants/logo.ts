// The picture on a merchant's payment pages. What it is, its content tells: a name or a header could say anything, and a
// picture that a browser takes for a document would run on our own pages' origin.

import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Queryable } from '../postgres/db.ts'
import { selectLogo } from './sql.ts'

export type Logo = { readonly type: 'image/png' | 'image/jpeg'; readonly bytes: Buffer }

const MOST_BYTES = 65_536
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

export function readLogo(bytes: Buffer): Buffer {
  if (bytes.length > MOST_BYTES) throw new OperatorRefusal('a logo has at most 64 KiB')
  if (typeOf(bytes) !== undefined) return bytes
  throw new OperatorRefusal('a logo is a PNG or a JPEG, and this file is neither')
}

export async function findLogo(db: Queryable, merNo: number): Promise<Logo | undefined> {
  const bytes = await selectLogo(db, merNo)
  const type = bytes && typeOf(bytes)
  return bytes && type && { type, bytes }
}

function typeOf(bytes: Buffer): Logo['type'] | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png'
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : undefined
}
