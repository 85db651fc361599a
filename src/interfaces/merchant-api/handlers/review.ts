import { Refusal } from '../../errors/catalogue.ts'
import { State } from '../../orders/order.ts'
import { type SubmitDeps, submitReview } from '../../reviews/submit-review.ts'
import { type Fields, objectOf, objectsOf, textOf } from '../fields/field-values.ts'
import type { Handler } from '../frame.ts'

/** `/review/submit`: the merchant's information about a payment in review. */
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
