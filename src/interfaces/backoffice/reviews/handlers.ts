import type { Rates } from '../../../money/rates/rates.ts'
import { approveReview, askReview, pickReview, rejectReview } from '../../../money/reviews/decide-review.ts'
import {
  type FoundReview,
  findReview,
  type ListedReview,
  listReviews,
  openFile,
} from '../../../money/reviews/find-review.ts'
import { submitReview, uploadFile } from '../../../money/reviews/submit-review.ts'
import { type Caller, listedMerchant } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import type { RefusalCode } from '../../../platform/errors/catalogue.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { lineAbout } from '../audit-lines.ts'
import { savingBy } from '../beneficiaries/handlers.ts'
import { refusalAt } from '../field-problems.ts'
import { ownOnly } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import type { Handlers } from '../route.ts'
import { infoTypes, type reviewsApi } from './api.ts'

export type ReviewHandlerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly rates: Pick<Rates, 'find'>
  readonly pokeDelivery: () => void
}

const MOST_LISTED = 200

const aboutFile: readonly RefusalCode[] = ['10106']

export function createReviewHandlers(deps: ReviewHandlerDeps): Handlers<typeof reviewsApi> {
  const { db, clock, vault, rates, pokeDelivery } = deps

  const find = async (caller: Caller, tradeNo: string): Promise<FoundReview> => {
    ownOnly(caller, tradeNo)
    return findReview(db, vault, tradeNo)
  }
  const written = (caller: Caller, action: string, id: string, reason: string) => ({
    db: audited(db, lineAbout(caller, clock, { id, action, reason })),
    clock,
  })

  return {
    async 'GET /reviews'({ caller, query }) {
      const merNo = listedMerchant(caller, query.merNo)
      const found = await listReviews(db, MOST_LISTED, merNo)
      const briefs = await briefsOf(db, caller, found)
      return { rows: found.map((one) => ({ ...toListed(one), ...orderIn(briefs, one.tradeNo) })) }
    },

    async 'GET /reviews/:tradeNo'({ caller, params }) {
      return toReview(await find(caller, params.tradeNo))
    },

    async 'GET /reviews/:tradeNo/files/:fileId'({ caller, params: { tradeNo, fileId } }) {
      const { files } = await find(caller, tradeNo)
      if (!files.some((file) => file.fileId === fileId))
        throw new Problem('not-found', 'There is no such file.')
      const { file, content } = await openFile(db, vault, fileId)
      const bytes = async function* () {
        yield content
      }
      return { name: `${fileId}${file.suffix}`, type: 'application/octet-stream', content: bytes() }
    },

    async 'POST /reviews/:tradeNo/files'({ caller, params, body }) {
      const { merNo } = savingBy(caller)
      await find(caller, params.tradeNo)
      const content = Buffer.from(body.content, 'base64')
      const file = { merNo, type: body.type, content }
      const { fileId } = await refusalAt('file', aboutFile, () => uploadFile(deps, file))
      return { fileId }
    },

    async 'POST /reviews/:tradeNo/answer'({ caller, params: { tradeNo }, body }) {
      const { merNo } = savingBy(caller)
      ownOnly(caller, tradeNo)
      const unknown = Object.keys(body.info).find((name) => !infoTypes.some((known) => known === name))
      if (unknown !== undefined) throw new Problem('invalid', `There is no information called ${unknown}.`)
      const after = { info: Object.keys(body.info), files: body.files.map(({ proves }) => proves) }
      const line = lineAbout(caller, clock, { id: tradeNo, action: 'review.answer', after })
      const wanted = { ...body, merNo, tradeNo }
      await refusalAt('file', aboutFile, () => submitReview({ ...deps, db: audited(db, line) }, wanted))
      return {}
    },

    async 'POST /reviews/:tradeNo/pick'({ caller, params: { tradeNo }, body: { reason } }) {
      await pickReview(written(caller, 'review.pick', tradeNo, reason), tradeNo)
      return {}
    },

    async 'POST /reviews/:tradeNo/approve'({ caller, params: { tradeNo }, body: { reason } }) {
      await approveReview({ ...written(caller, 'review.approve', tradeNo, reason), rates }, tradeNo)
      pokeDelivery()
      return {}
    },

    async 'POST /reviews/:tradeNo/ask'({ caller, params: { tradeNo }, body: { note } }) {
      await askReview(written(caller, 'review.ask', tradeNo, note), tradeNo, note)
      pokeDelivery()
      return {}
    },

    async 'POST /reviews/:tradeNo/reject'({ caller, params: { tradeNo }, body }) {
      await rejectReview(written(caller, 'review.reject', tradeNo, body.note), tradeNo, body)
      pokeDelivery()
      return {}
    },
  }
}

function toListed({ tradeNo, merNo, merOrderNo, money, review, message, since }: ListedReview) {
  return {
    tradeNo,
    merNo,
    merOrderNo,
    money: toMoney(money),
    state: review,
    message,
    since: since.toISOString(),
  }
}

function toReview({ order, review, info, files }: FoundReview) {
  const { tradeNo, merNo, state, note, submittedAt, decidedAt } = review
  return {
    tradeNo,
    merNo,
    merOrderNo: order.merOrderNo,
    money: toMoney(order.money),
    state,
    note,
    ...(submittedAt && { submittedAt: submittedAt.toISOString() }),
    ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
    info,
    files: files.map(({ fileId, proves = '', suffix, bytes, uploadedAt }) => {
      return { fileId, proves, suffix, bytes, uploadedAt: uploadedAt.toISOString() }
    }),
  }
}
