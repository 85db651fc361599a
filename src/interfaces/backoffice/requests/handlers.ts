import { findOldKeys } from '../../../money/merchants/keys.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findPayment } from '../../../money/order-queries/find-payment.ts'
import { actorOf, type Caller, isOperator, merchantOf } from '../../../people/roles/caller.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { isUuid, uuidsFrom } from '../../../platform/base/uuid.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { countEvents, type EventCounter } from '../../../platform/http/server/rate-limit.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { ListedRequest, OrderFilter, WholeRequest } from '../../../platform/request-log/entry.ts'
import { findRequest, findSign, listRequests } from '../../../platform/request-log/find-requests.ts'
import { isEndpoint } from '../../merchant-api/endpoints.ts'
import {
  explainSignature,
  type SignatureQuestion,
} from '../../merchant-api/signature-debugger/explain-signature.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { requestsApi } from './api.ts'
import { asCurl, asSdk } from './as-code.ts'
import { type AgainDeps, runAgain, whyNotAgain } from './run-again.ts'

export type RequestsDeps = AgainDeps & {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly baseUrl: string
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

const EXPLAINED_PER_MINUTE = 30
const AGAIN_PER_MINUTE = 30
/** The merchant number under which calls without a known merchant are logged. */
const NOBODY = 0

export function createRequestsHandlers(deps: RequestsDeps): Handlers<typeof requestsApi> {
  const { db, clock } = deps
  const explained = countEvents(60_000, clock)
  const runs = countEvents(60_000, clock)

  async function find(merNo: number, requestId: string): Promise<WholeRequest> {
    const request = await findRequest(db, merNo, requestId)
    if (request === undefined) throw new Problem('not-found', 'There is no such request in the log.')
    return request
  }

  return {
    async 'GET /requests'({ caller, query }) {
      const { endpoint, code, refused, merOrderNo, from, until, after } = query
      if (after !== undefined && !isUuid(after))
        throw new Problem('invalid', 'This page does not exist. Go to the first page.')
      const merNo = merchantOfLog(caller, query.merNo)
      const filter = {
        merNo,
        endpoint,
        code,
        refusedOnly: refused,
        order: merOrderNo === undefined ? undefined : await orderOf(db, merNo, merOrderNo),
        from: from && uuidsFrom(new Date(from)),
        below: after ?? (until && uuidsFrom(new Date(until))),
      }
      const found = await listRequests(db, filter, PAGE_ROWS + 1)
      return pageFrom(found.map(toRow), ({ requestId }) => requestId)
    },

    async 'GET /requests/:requestId'({ caller, params, query }) {
      const request = await find(merchantOfLog(caller, query.merNo), params.requestId)
      const { address, agent, paymentType, referer, body, answer } = request
      const runnable = whyNotAgain(deps, request) === undefined
      const code = { curl: asCurl(deps.baseUrl, request), sdk: asSdk(deps.baseUrl, request) ?? null }
      return { ...toRow(request), address, agent, paymentType, referer, body, answer, ...code, runnable }
    },

    async 'POST /requests/:requestId/again'({ caller, params }) {
      throttle(runs, caller, AGAIN_PER_MINUTE)
      const merchant = await merchantNamed(deps, merchantOf(caller, undefined))
      const again = await runAgain(deps, merchant, await find(merchant.merNo, params.requestId))
      await db.transaction((tx) =>
        writeAudit(tx, {
          merNo: merchant.merNo,
          at: clock.now(),
          actor: actorOf(caller),
          action: 'request.run-again',
          subject: params.requestId,
          after: { requestId: again.requestId, code: again.code },
        }),
      )
      return again
    },

    async 'POST /signature/explain'({ caller, query, body: { requestId, ...typed } }) {
      throttle(explained, caller, EXPLAINED_PER_MINUTE)
      const merchant = await merchantNamed(deps, merchantOf(caller, query.merNo))
      const question =
        requestId === undefined
          ? questionTyped(typed)
          : await questionLogged(deps, await find(merchant.merNo, requestId), typed)
      const oldKeys = await findOldKeys(db, deps.vault, merchant.merNo, clock.now())
      const found = explainSignature({ merchant, oldKeys }, question)
      if (found === undefined) throw new Problem('invalid', NOT_JSON, { body: NOT_JSON })
      const { difference, fields, mistakes, ...rest } = found
      return {
        endpoint: question.endpoint,
        ...rest,
        fields: [...fields],
        mistakes: [...mistakes],
        ...(difference !== undefined && { difference }),
      }
    },
  }
}

const NOT_JSON = 'Paste the whole JSON body of the request.'

function merchantOfLog(caller: Caller, named: number | undefined): number {
  return named === NOBODY && isOperator(caller) ? NOBODY : merchantOf(caller, named)
}

async function orderOf(db: Db, merNo: number, merOrderNo: string): Promise<OrderFilter> {
  return { merOrderNo, madeAt: (await findPayment(db, { merNo, merOrderNo }))?.createdAt }
}

async function merchantNamed({ findMerchant }: RequestsDeps, merNo: number): Promise<Merchant> {
  const merchant = await findMerchant(merNo)
  if (merchant === undefined) throw new Problem('not-found', 'There is no such merchant.')
  return merchant
}

function throttle(counter: EventCounter, { userId }: Caller, most: number): void {
  if (counter.add(userId) <= most) return
  const seconds = Math.max(1, Math.ceil(counter.msLeft(userId) / 1000))
  throw new Problem('too-many', `Wait ${seconds} s and try again.`, undefined, seconds)
}

type Typed = {
  readonly endpoint?: string
  readonly body?: string
  readonly sign?: string
  readonly signed?: string
}

function questionTyped({ endpoint = '', body, sign, signed }: Typed): SignatureQuestion {
  if (!isEndpoint(endpoint))
    throw new Problem('invalid', 'Choose the endpoint.', { endpoint: 'Choose the endpoint.' })
  if (body === undefined || body.trim() === '') throw new Problem('invalid', NOT_JSON, { body: NOT_JSON })
  return { endpoint, text: body, sign: sign || undefined, signed: signed || undefined }
}

async function questionLogged(
  { db, vault }: RequestsDeps,
  request: WholeRequest,
  { sign, signed }: Typed,
): Promise<SignatureQuestion> {
  const { endpoint, merNo, requestId, body } = request
  if (!isEndpoint(endpoint) || body === '')
    throw new Problem(
      'refused',
      'The body of this request could not be read, so its signature was not checked.',
    )
  return {
    endpoint,
    text: body,
    sign: (await findSign(db, vault, merNo, requestId)) ?? (sign || undefined),
    signed: signed || undefined,
  }
}

function toRow({ requestId, merNo, at, endpoint, code, status, durationMs, ...rest }: ListedRequest) {
  const { merOrderNo, tradeNo, reason } = rest
  return {
    requestId,
    merNo,
    at: at.toISOString(),
    endpoint,
    code,
    status,
    durationMs,
    merOrderNo,
    tradeNo,
    reason,
  }
}
