import type { Vault } from '../base/secret.ts'
import { isUuid } from '../base/uuid.ts'
import type { Queryable } from '../postgres/db.ts'
import { unpackBodies } from './block.ts'
import type { ListedRequest, OrderFilter, RequestFilter, WholeRequest } from './entry.ts'
import { signContext } from './recorder.ts'
import { selectByTradeNo, selectRequest, selectRequests } from './sql.ts'

const MOST_OF_ORDER = 100

export function listRequests(
  db: Queryable,
  filter: RequestFilter,
  limit: number,
): Promise<readonly ListedRequest[]> {
  return selectRequests(db, filter, limit)
}

export async function requestsOfOrder(
  db: Queryable,
  merNo: number,
  { tradeNo, ...order }: OrderFilter & { readonly tradeNo: string },
): Promise<readonly ListedRequest[]> {
  const [byNumber, byTradeNo] = await Promise.all([
    selectRequests(db, { merNo, order }, MOST_OF_ORDER),
    selectByTradeNo(db, merNo, tradeNo, MOST_OF_ORDER),
  ])
  const found = [...byNumber, ...byTradeNo]
  return found.sort((one, other) => (one.requestId < other.requestId ? 1 : -1)).slice(0, MOST_OF_ORDER)
}

export async function findRequest(
  db: Queryable,
  merNo: number,
  requestId: string,
): Promise<WholeRequest | undefined> {
  const found = isUuid(requestId) ? await selectRequest(db, merNo, requestId) : undefined
  if (found === undefined) return undefined
  const { packed, place, sealedSign, ...listed } = found
  return { ...listed, ...(await unpackBodies(packed, place)) }
}

/** Returns a refused signature, for checks. Nobody may see the signature, because it may be valid with another key. */
export async function findSign(
  db: Queryable,
  vault: Vault,
  merNo: number,
  requestId: string,
): Promise<string | undefined> {
  const found = isUuid(requestId) ? await selectRequest(db, merNo, requestId) : undefined
  if (found === undefined || found.sealedSign === null) return undefined
  return vault.open(found.sealedSign, signContext(found.requestId))
}
