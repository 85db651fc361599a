// Stores the files that a merchant uploads and the information that a review needs. A submission moves the order from
// state 24 to 25. A further submission is accepted only after an operator has asked for more. It overwrites only the
// fields that it contains, and adds its files.
//
// Lock order: the order, its review, then its files by id.

import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/base/clock.ts'
import { makeId } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { AttemptedOrder, OrderKey } from '../orders/order.ts'
import {
  fileContext,
  isSuffix,
  MOST_FILE_BYTES,
  MOST_FILES,
  openInfo,
  type ReviewFile,
  type Suffix,
  sealInfo,
  suffixOf,
} from './review.ts'
import { lockReviewed, markSubmitted } from './review-orders.ts'
import { attachFiles, insertFile, lockFiles, lockReview, saveReview } from './sql.ts'

export type SubmitDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

type Submission = OrderKey & {
  readonly info: Readonly<Record<string, string>>
  readonly files: readonly SubmittedFile[]
}

type SubmittedFile = { readonly fileId: string; readonly proves: string }

export function submitReview(
  { db, vault, clock }: SubmitDeps,
  submission: Submission,
): Promise<AttemptedOrder> {
  return db.transaction(async (tx) => {
    const found = await lockReviewed(tx, submission)
    if (found === undefined) throw new Refusal('10026')
    const { order } = found
    if (order === undefined) throw new Refusal('10102')
    const review = await lockReview(tx, order)
    if (review.state !== 'asked') throw new Refusal('10102')
    await addFiles(tx, submission)
    const at = clock.now()
    const info = { ...openInfo(vault, review), ...submission.info }
    const sealed = sealInfo(vault, review, info)
    await saveReview(tx, { ...review, state: 'submitted', sealed, submittedAt: at })
    await markSubmitted(tx, order, at)
    return order
  })
}

async function addFiles(tx: Tx, { merNo, tradeNo, files }: Submission): Promise<void> {
  const named = new Set(files.map(({ fileId }) => fileId))
  if (named.size < files.length) throw new Refusal('10106', 'a file is named twice')
  const { given, own } = await lockFiles(tx, { merNo, tradeNo }, [...named])
  const known = given.filter((file) => file.tradeNo === undefined || file.tradeNo === tradeNo)
  if (known.length < named.size)
    throw new Refusal('10106', 'a file is not known, or was submitted for another order')
  const all = new Set([...named, ...own.map(({ fileId }) => fileId)])
  if (all.size > MOST_FILES) throw new Refusal('10106', `an order has at most ${MOST_FILES} files`)
  await attachFiles(tx, { merNo, tradeNo }, files)
}

export type UploadDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

type Upload = { readonly merNo: number; readonly type: string; readonly content: Buffer }

/**
 * The maximum number of a merchant's uploaded files that are not submitted yet. This limit is enough for several
 * reviews.
 */
const MOST_LOOSE_FILES = 60

/** Stores the file encrypted. The file belongs to no order until it is submitted. */
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
