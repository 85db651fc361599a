// Reads the request log.
import type { Vault } from '../base/secret.ts'
import { isUuid } from '../base/uuid.ts'
import type { Queryable } from '../postgres/db.ts'
import { unpackBodies } from './block.ts'
import type { ListedRequest, WholeRequest } from './entry.ts'
import { signContext } from './recorder.ts'
import { type RequestFilter, selectRequest, selectRequests, selectRequestsOfOrder } from './sql.ts'

const MOST_OF_ORDER = 100

/** Newest first. */
export function listRequests(
  db: Queryable,
  filter: RequestFilter,
  limit: number,
): Promise<readonly ListedRequest[]> {
  return selectRequests(db, filter, limit)
}

/** All calls about one order, newest first, and a hundred at most. */
export function requestsOfOrder(
  db: Queryable,
  merNo: number,
  order: { readonly merOrderNo: string; readonly tradeNo: string },
): Promise<readonly ListedRequest[]> {
  return selectRequestsOfOrder(db, merNo, order, MOST_OF_ORDER)
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

/** The signature of a request that was refused for it. Not for display: with another key it may be valid. */
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
