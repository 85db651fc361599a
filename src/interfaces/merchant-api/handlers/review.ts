import { State } from '../../../money/orders/order.ts'
import {
  type SubmitDeps,
  submitReview,
  type UploadDeps,
  uploadFile,
} from '../../../money/reviews/submit-review.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import { type Fields, objectOf, objectsOf, textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

export function createReviewHandler(deps: SubmitDeps): Handler {
  return async ({ merchant, fields }) => {
    const info = objectOf(fields, 'info') ?? {}
    const files = objectsOf(fields, 'files')
    if (Object.keys(info).length === 0 && files.length === 0) throw new Refusal('10002', 'info or files')
    const { tradeNo, merOrderNo } = await submitReview(deps, {
      merNo: merchant.merNo,
      tradeNo: textOf(fields, 'tradeNo'),
      info: textsIn(info),
      files: files.map((file) => ({ fileId: textOf(file, 'fileId'), proves: textOf(file, 'type') })),
    })
    return { data: { tradeNo, merNo: String(merchant.merNo), merOrderNo, state: State.inReview } }
  }
}

function textsIn(info: Fields): Record<string, string> {
  return Object.fromEntries(Object.keys(info).map((type) => [type, textOf(info, type)]))
}

export function createUploadHandler(deps: UploadDeps): Handler {
  return async ({ merchant, fields, files }) => {
    const [content, ...others] = files
    if (content === undefined) throw new Refusal('10002', 'file')
    if (others.length > 0) throw new Refusal('10106', 'send one file per request')
    const { fileId } = await uploadFile(deps, {
      merNo: merchant.merNo,
      type: textOf(fields, 'type'),
      content,
    })
    return { data: { fileId } }
  }
}
