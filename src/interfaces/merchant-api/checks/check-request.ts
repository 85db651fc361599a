// Checks a request in this order, and stops at the first failure:
// head (check-head.ts), JSON and types, merchant, its state, Referer, signed fields, signature, rate, version, order number,
// method, fields. The handler checks the rest: currency, channel, limits. A refused request stores nothing.

import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import { type Method, methods } from '../../channels/method.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { ClientLimits } from '../../http/server/rate-limit.ts'
import { type Merchant, mayDo } from '../../merchants/merchant.ts'
import {
  type Choice,
  choicesInWords,
  type Endpoint,
  type EndpointPath,
  endpoints,
  tableOfNoChoice,
} from '../endpoints.ts'
import { knownVersions, type Table } from '../fields/field.ts'
import { type Fields, fieldsOf, type ReadValues } from '../fields/field-values.ts'
import { type Body, breaks, brokenText, checkTypes, isEmpty, readFields } from '../fields/read-fields.ts'
import { checkMultipartType, type Multipart, parseMultipart } from './multipart.ts'
import { parseBody } from './parse-body.ts'
import { checkReferer } from './referer.ts'
import { authenticate, checkSignedFields, isReplayProof } from './signature.ts'

export type CheckDeps = {
  readonly mode: 'sandbox' | 'live'
  readonly clock: Clock
  /** Returns a promise only if the merchant is not cached. */
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  /** The merchant signed with this key for the first time. */
  keyUsed(merchant: Merchant, keyId: string): void
  /** The refusal of an order number that was used before; undefined when it is new. */
  duplicateOf(merNo: number, merOrderNo: string): Promise<Refusal | undefined>
}

export type IncomingRequest = {
  readonly path: EndpointPath
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The language tag in the body, once it is parsed. */
  language?: string
  /** Once it is parsed, for the log of requests that are refused. */
  body?: Body | undefined
}

/** A request with checked types, not authenticated yet. */
type Asked = IncomingRequest & {
  readonly endpoint: Endpoint
  readonly body: Body
  /** The table of the chosen method or kind, or the endpoint's default table. */
  readonly table: Table
  /** Those of a multipart request, else empty. */
  readonly files: readonly Buffer[]
  readonly chosen: string
  readonly choice: Choice | undefined
}

/** An authenticated request. */
export type Caller = { readonly merchant: Merchant; readonly asked: Asked }

/** The part of a caller that is needed until its request is answered. */
export type Asker = {
  readonly endpoint: Endpoint
  readonly merchant: Merchant
  readonly merOrderNo: unknown
}

export function askerOf({ merchant, asked: { endpoint, body } }: Caller): Asker {
  return { endpoint, merchant, merOrderNo: body.merOrderNo }
}

/** All checks up to the signature. Returns a promise only if the merchant has to be loaded. */
export function checkCaller(
  deps: CheckDeps,
  limits: ClientLimits,
  incoming: IncomingRequest,
  bytes: Buffer,
): Caller | Promise<Caller> {
  const read =
    endpoints[incoming.path].body === 'multipart' ? readMultipart(incoming, bytes) : readJson(incoming, bytes)
  incoming.body = read.body
  return callerOf(deps, limits, askedBy(incoming, read))
}

function askedBy({ path, headers, address }: IncomingRequest, { body, files }: Multipart): Asked {
  const endpoint: Endpoint = endpoints[path]
  const chosen = chosenBy(endpoint, headers, body)
  const choice = endpoint.choices.get(chosen)
  const table = choice?.table ?? tableOfNoChoice(endpoint)
  checkTypes(table, body)
  return { path, headers, address, endpoint, body, table, files, chosen, choice }
}

function callerOf(deps: CheckDeps, limits: ClientLimits, asked: Asked): Caller | Promise<Caller> {
  const found = findMerchant(deps, asked.body)
  return found instanceof Promise
    ? found.then((merchant) => checkMerchant(deps, limits, asked, merchant))
    : checkMerchant(deps, limits, asked, found)
}

function checkMerchant(
  deps: CheckDeps,
  limits: ClientLimits,
  asked: Asked,
  merchant: Merchant | undefined,
): Caller {
  const { endpoint, headers } = asked
  if (merchant === undefined) throw new Refusal('10004')
  if (!mayCall(merchant.state, endpoint)) throw new Refusal('10005')
  if (endpoint.checksReferer) checkReferer(headers.referer, merchant.websites)
  checkSignature(deps, limits, merchant, asked)
  return { merchant, asked }
}

/** Payments and payouts bring a new order number. */
function makesOrder(endpoint: Endpoint): boolean {
  return endpoint.does === 'pay' || endpoint.does === 'payout'
}

/** A suspended merchant may still refund and answer reviews; a closed one may only query. */
function mayCall(state: Merchant['state'], endpoint: Endpoint): boolean {
  if (makesOrder(endpoint)) return mayDo(state, 'pay')
  return mayDo(state, endpoint.does === 'query' ? 'query' : 'refund')
}

/** The checks between the signature and the order number. */
export function checkRateAndVersion(
  limits: ClientLimits,
  { merchant, asked: { body, address } }: Caller,
): void {
  if (!limits.takeRequest(merchant.merNo, address))
    throw new Refusal('10107', undefined, { retryAfterSeconds: 1 })
  if (!isEmpty(body.version) && !knownVersions.includes(String(body.version))) throw new Refusal('10109')
}

function readMultipart({ headers }: IncomingRequest, bytes: Buffer): Multipart {
  return parseMultipart(bytes, checkMultipartType(headers['content-type']))
}

const NO_FILES: Multipart['files'] = []

function readJson(incoming: IncomingRequest, bytes: Buffer): Multipart {
  const body = parseBody(bytes)
  // The response is a page in the order's language, also for a refusal.
  if (endpoints[incoming.path].answers === 'html' && typeof body.language === 'string')
    incoming.language = body.language
  return { body, files: NO_FILES }
}

/** The value that chooses the method or kind, '' when there is none. A value of another type fails the type check. */
export function chosenBy(endpoint: Endpoint, headers: IncomingHttpHeaders, body: Body): string {
  const { chosenBy } = endpoint
  if (chosenBy === undefined) return ''
  const value = chosenBy.in === 'header' ? headers[chosenBy.header] : body[chosenBy.name]
  return typeof value === 'string' ? value : ''
}

const MAX_MER_NO = 9_999_999_999

function findMerchant(deps: CheckDeps, body: Body): ReturnType<CheckDeps['findMerchant']> | undefined {
  if (isEmpty(body.merNo)) throw new Refusal('10002', 'merNo')
  const merNo = Number(body.merNo)
  return merNo >= 0 && merNo <= MAX_MER_NO ? deps.findMerchant(merNo) : undefined
}

function checkSignature(
  deps: CheckDeps,
  limits: ClientLimits,
  merchant: Merchant,
  signed: Parameters<typeof authenticate>[1],
): void {
  checkSignedFields(signed)
  try {
    const key = authenticate(merchant, signed, deps)
    if (key?.used === false) deps.keyUsed(merchant, key.keyId)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== '10015') throw error
    const waitSeconds = limits.signatureFailed(merchant.merNo, signed.address)
    throw waitSeconds === 0 ? error : tooManyWrongSignatures(waitSeconds)
  }
}

function tooManyWrongSignatures(retryAfterSeconds: number): Refusal {
  const why = `too many wrong signatures for this merchant from this address: try again in ${retryAfterSeconds} s`
  return new Refusal('10107', why, { retryAfterSeconds })
}

/** A request that passed every check before its handler. */
export class CheckedRequest {
  readonly merchant: Merchant
  /** Set for pay-in endpoints; undefined where the payer chooses. */
  readonly method: Method | undefined
  /** The table of the values. It also says which of them may be stored. */
  readonly table: Table
  readonly values: ReadValues
  /** The `file` parts of a multipart request, else empty. */
  readonly files: readonly Buffer[]
  /** A captured copy of its signature is useless for any other request. */
  readonly isReplayProof: boolean

  constructor(
    merchant: Merchant,
    { method, table }: Choice,
    values: ReadValues,
    files: readonly Buffer[],
    isReplayProof: boolean,
  ) {
    this.merchant = merchant
    this.method = method
    this.table = table
    this.values = values
    this.files = files
    this.isReplayProof = isReplayProof
  }

  /** Built on demand: a payment has dozens of fields and reads them by position instead. */
  get fields(): Fields {
    return fieldsOf(this.table, this.values)
  }
}

/** Checks the method, then the other fields. */
export function checkFields(deps: CheckDeps, { merchant, asked }: Caller): CheckedRequest {
  const { endpoint, body, files, chosen, choice } = asked
  if (choice === undefined) throw new Refusal(chosen === '' ? '10000' : '10001', choicesInWords(endpoint))
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  const values = readFields(choice.table, body, { mode: deps.mode, currency })
  const checked = new CheckedRequest(merchant, choice, values, files, isReplayProof(merchant, asked, deps))
  checkMethodRules(checked)
  return checked
}

/** Checks the method's own rules beyond the table, such as check digits. */
function checkMethodRules(checked: CheckedRequest): void {
  const { method } = checked
  const problem = method && methods[method].checkFields?.(checked.fields)
  if (problem !== undefined) throw breaks(problem.field, problem.rule)
}

const duplicateCodes: readonly string[] = ['10003', '10009']

/**
 * Replaces a refusal by "duplicate" if the order number exists, so that a retry after a time-out is refused as a duplicate
 * and not, say, for a limit. Only refusals look the number up: a good request finds out when it inserts the order.
 */

export async function orDuplicate(
  deps: CheckDeps,
  asker: Asker | undefined,
  error: unknown,
): Promise<unknown> {
  if (asker === undefined || !(error instanceof Refusal) || duplicateCodes.includes(error.code)) return error
  const { endpoint, merchant, merOrderNo } = asker
  // An invalid number cannot have been stored.
  const isValid = typeof merOrderNo === 'string' && brokenText(merOrderNo, 32) === undefined
  if (!makesOrder(endpoint) || !isValid) return error
  return (await deps.duplicateOf(merchant.merNo, merOrderNo)) ?? error
}
