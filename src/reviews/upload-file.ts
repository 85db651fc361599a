import { createHash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { makeId } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { Refusal } from '../errors/catalogue.ts'
import type { Db } from '../postgres/db.ts'
import { fileContext, isSuffix, MOST_FILE_BYTES, type ReviewFile, type Suffix, suffixOf } from './file.ts'
import { insertFile } from './sql.ts'

export type UploadDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

export type Upload = { readonly merNo: number; readonly type: string; readonly content: Buffer }

/** Limits a merchant's files that are not submitted yet; enough for several reviews. */
const MOST_LOOSE_FILES = 60

/** Stores the file encrypted. It belongs to no order until it is submitted. */
export async function uploadFile(
  { db, vault, clock }: UploadDeps,
  { merNo, type, content }: Upload,
): Promise<ReviewFile> {
  const suffix = checkFile(type, content)
  const at = clock.now()
  const fileId = makeId('F', merNo, at)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const file: ReviewFile = {
    merNo,
    fileId,
    tradeNo: undefined,
    proves: undefined,
    suffix,
    bytes: content.length,
    sha256,
    uploadedAt: at,
  }
  const sealed = vault.seal(content, fileContext(file))
  if (await insertFile(db, file, sealed, MOST_LOOSE_FILES)) return file
  throw new Refusal('10106', `at most ${MOST_LOOSE_FILES} files may wait to be submitted`)
}

export function checkFile(type: string, content: Buffer): Suffix {
  if (!isSuffix(type)) throw new Refusal('10106', 'type must be .pdf, .png or .jpg')
  if (content.length === 0) throw new Refusal('10106', 'the file is empty')
  if (content.length > MOST_FILE_BYTES) throw new Refusal('10106', 'a file has at most 2 MiB')
  if (suffixOf(content) !== type) throw new Refusal('10106', `the content is not that of a ${type} file`)
  return type
}
