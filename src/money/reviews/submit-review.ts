// The merchant submits the information that a review needs: 24 → 25. A new submission overwrites only the fields that it
// contains, and adds its files. Lock order: the order, its review, then its files by id.
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import { Refusal } from '../errors/catalogue.ts'
import type { AttemptedOrder } from '../orders/order.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { openInfo, sealInfo } from './info.ts'
import { MOST_FILES, type ReviewKey } from './review.ts'
import { lockReviewed, markSubmitted } from './review-orders.ts'
import { attachFiles, lockFiles, lockReview, saveReview } from './sql.ts'

export type SubmitDeps = { readonly db: Db; readonly vault: Vault; readonly clock: Clock }

export type Submission = ReviewKey & {
  readonly info: Readonly<Record<string, string>>
  readonly files: readonly SubmittedFile[]
}

export type SubmittedFile = { readonly fileId: string; readonly proves: string }

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
