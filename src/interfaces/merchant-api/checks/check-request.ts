// Checks a request in this order, and stops at the first failure: head (check-head.ts), body and types, merchant, the
// merchant's state, Referer, signed fields, signature, rate, version, method, fields. The handler checks the rest:
// currency, channel, limits. If a request is refused after the version check and its order number was used before,
// `orDuplicate` turns the refusal into "duplicate". A request that fails a check makes no order.

import type { IncomingHttpHeaders } from 'node:http'
import { type KeyUse, type Merchant, mayDo } from '../../../money/merchants/merchant.ts'
import type { Duplicate } from '../../../money/orders/accept-orders.ts'
import { shownDigits } from '../../../platform/base/card-number.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { textIn } from '../../../platform/base/object.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'
import type { MayReach } from '../../../platform/http/client/address-guard.ts'
import type { ClientLimits } from '../../../platform/http/server/rate-limit.ts'
import { type Method, methods } from '../../../rails/methods/methods.ts'
import {
  type Choice,
  choicesInWords,
  type Endpoint,
  type EndpointPath,
  endpoints,
  tableOfNoChoice,
} from '../endpoints.ts'
import { RepeatedPayment } from '../envelope.ts'
import type { Table } from '../fields/field.ts'
import { type Fields, fieldsOf, type ReadValues } from '../fields/field-values.ts'
import { type Body, breaks, brokenText, checkTypes, isEmpty, readFields } from '../fields/read-fields.ts'
import { checkMultipartType, type Multipart, parseMultipart } from './multipart.ts'
import { parseBody } from './parse-body.ts'
import { checkReferer } from './referer.ts'
import { authenticate, checkSignedFields, isReplayProof } from './signature.ts'

export type CheckDeps = {
  readonly mode: 'sandbox' | 'live'
  readonly mayNotify: MayReach
  readonly clock: Clock
  /** Finds a merchant. Returns a promise only if the merchant is not cached. */
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  /** Records that the merchant signed with this key. */
  keyUsed(merNo: number, key: KeyUse): void
  /** Finds the order that was accepted under this number. Undefined if the number is new. */
  duplicateOf(merNo: number, merOrderNo: string): Promise<Duplicate | undefined>
  /** Computes the MAC by which a repeated payment is recognised. */
  requestMacOf(text: string): string
}

export type IncomingRequest = {
  readonly path: EndpointPath
  readonly headers: IncomingHttpHeaders
  readonly address: string
  language?: string
  body?: Body | undefined
}

type ParsedRequest = IncomingRequest & {
  readonly endpoint: Endpoint
  readonly body: Body
  /** The table of the chosen method or kind of payout, or the endpoint's default table. */
  readonly table: Table
  readonly files: readonly Buffer[]
  readonly chosen: string
  readonly choice: Choice | undefined
}

/**
 * A request whose signature is verified. Callers must drop the request before the handler waits for the database,
 * because the request contains the body.
 */
export type SignedRequest = { readonly merchant: Merchant; readonly parsed: ParsedRequest }

/** Does all checks up to the signature. Returns a promise only if the merchant must be loaded. */
export function checkSigned(
  deps: CheckDeps,
  limits: ClientLimits,
  incoming: IncomingRequest,
  bytes: Buffer,
): SignedRequest | Promise<SignedRequest> {
  const read =
    endpoints[incoming.path].body === 'multipart' ? readMultipart(incoming, bytes) : readJson(incoming, bytes)
  incoming.body = read.body
  const parsed = parse(incoming, read)
  const found = findMerchant(deps, parsed.body)
  return found instanceof Promise
    ? found.then((merchant) => checkMerchant(deps, limits, parsed, merchant))
    : checkMerchant(deps, limits, parsed, found)
}

function parse({ path, headers, address }: IncomingRequest, { body, files }: Multipart): ParsedRequest {
  const endpoint: Endpoint = endpoints[path]
  const chosen = chosenBy(endpoint, headers, body)
  const choice = endpoint.choices.get(chosen)
  const table = choice?.table ?? tableOfNoChoice(endpoint)
  checkTypes(table, body)
  return { path, headers, address, endpoint, body, table, files, chosen, choice }
}

function checkMerchant(
  deps: CheckDeps,
  limits: ClientLimits,
  parsed: ParsedRequest,
  merchant: Merchant | undefined,
): SignedRequest {
  const { endpoint, headers } = parsed
  if (merchant === undefined) throw new Refusal('10004')
  if (!mayCall(merchant.state, endpoint)) throw new Refusal('10005')
  if (endpoint.checksReferer) checkReferer(headers.referer, merchant.websites)
  checkSignature(deps, limits, merchant, parsed)
  return { merchant, parsed }
}

function makesOrder(endpoint: Endpoint): boolean {
  return endpoint.does === 'pay' || endpoint.does === 'payout'
}

/** A suspended merchant may still refund and answer reviews. A closed merchant may only query. */
function mayCall(state: Merchant['state'], endpoint: Endpoint): boolean {
  if (makesOrder(endpoint)) return mayDo(state, 'pay')
  return mayDo(state, endpoint.does === 'query' ? 'query' : 'refund')
}

const knownVersions: readonly string[] = ['V3.0.0', 'V3.0.1']

export function checkRateAndVersion(
  limits: ClientLimits,
  { merchant, parsed: { body, address } }: SignedRequest,
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
  // If an endpoint answers with a page, even a refusal is shown in the order's language.
  if (endpoints[incoming.path].answers === 'html' && typeof body.language === 'string')
    incoming.language = body.language
  return { body, files: NO_FILES }
}

/**
 * Returns the text that chooses the payment method or payout kind. The endpoint declares the header or field with this
 * text. Returns '' if there is no such text. The type check refuses values of other types.
 */
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
    if (key !== undefined) deps.keyUsed(merchant.merNo, key)
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

export class CheckedRequest {
  readonly merchant: Merchant
  readonly method: Method | undefined
  /** The table of `values`, in the same order. The table also says which values may be stored. */
  readonly table: Table
  readonly values: ReadValues
  readonly files: readonly Buffer[]
  /** False if a captured signature of a refund could be used for another refund. Otherwise true. */
  readonly isReplayProof: boolean
  /** The MAC of a payment's fields. Undefined for other endpoints. */
  readonly requestMac: string | undefined

  constructor(
    merchant: Merchant,
    { method, table }: Choice,
    values: ReadValues,
    files: readonly Buffer[],
    isReplayProof: boolean,
    requestMac: string | undefined,
  ) {
    this.merchant = merchant
    this.method = method
    this.table = table
    this.values = values
    this.files = files
    this.isReplayProof = isReplayProof
    this.requestMac = requestMac
  }

  /**
   * Returns the fields by name. This makes a new object each time, so a payment's many fields are usually read by
   * position instead.
   */
  get fields(): Fields {
    return fieldsOf(this.table, this.values)
  }
}

export function checkFields(deps: CheckDeps, { merchant, parsed }: SignedRequest): CheckedRequest {
  const { endpoint, body, files, chosen, choice } = parsed
  if (choice === undefined) throw new Refusal(chosen === '' ? '10000' : '10001', choicesInWords(endpoint))
  const context = {
    mayNotify: deps.mayNotify,
    currency: textIn(body, 'currencyCode'),
    cardNo: textIn(body, 'cardNo'),
  }
  const values = readFields(choice.table, body, context)
  const requestMac =
    endpoint.does === 'pay' ? deps.requestMacOf(requestText(parsed, choice, values)) : undefined
  const replayProof = isReplayProof(merchant, parsed, deps)
  const checked = new CheckedRequest(merchant, choice, values, files, replayProof, requestMac)
  checkMethodRules(checked)
  return checked
}

/**
 * Fields that the MAC leaves out, besides personal fields. A repeated payment may be signed in another way. A security
 * code must not be stored in any form.
 */
const notInMac: readonly string[] = ['sign', 'cardSecurityCode']

type FieldInMac = { readonly name: string; readonly place: number }

/** The fields that the MAC covers, computed once per table and not for each request. */
const fieldsInMac = new WeakMap<Table, readonly FieldInMac[]>()

function findFieldsInMac(table: Table): readonly FieldInMac[] {
  const fields = table.flatMap(({ name, secrecy }, place) =>
    secrecy === 'personal' || notInMac.includes(name) ? [] : [{ name, place }],
  )
  fieldsInMac.set(table, fields)
  return fields
}

/**
 * Writes the endpoint, the method and the fields of the MAC as one text. Equal requests have equal texts, even after a
 * new version has added a field. The text has no personal number. Of a card number, it has only the digits that lists
 * show. If it had all digits, somebody who has the merchant's key could try card numbers until the response confirms
 * one.
 */
function requestText(
  { path, chosen }: Pick<ParsedRequest, 'path' | 'chosen'>,
  { table }: Choice,
  values: ReadValues,
): string {
  const parts: unknown[] = [path, chosen]
  for (const { name, place } of fieldsInMac.get(table) ?? findFieldsInMac(table)) {
    const value = values[place]
    if (value !== undefined) parts.push(name, name === 'cardNo' ? shownDigits(String(value)) : value)
  }
  return JSON.stringify(parts)
}

function checkMethodRules(checked: CheckedRequest): void {
  const { method } = checked
  const problem = method && methods[method].checkFields?.(checked.fields)
  if (problem !== undefined) throw breaks(problem.field, problem.rule)
}

const duplicateCodes: readonly string[] = ['10003', '10009']

/** The part of a signed request that stays in memory until the response is sent. */
export type Ordering = {
  readonly path: EndpointPath
  readonly merchant: Merchant | undefined
  readonly merOrderNo: unknown
  readonly requestMac: string | undefined
}

/**
 * Replaces a refusal by "duplicate" if the order number exists. Otherwise a retry after a time-out might be refused for
 * another reason, such as a limit. If a merchant sends a payment again with the same fields, the response has the trade
 * number. The order number is looked up only after a refusal, because an accepted request finds a duplicate when it
 * inserts the order.
 */
export async function orDuplicate(
  deps: CheckDeps,
  { path, merchant, merOrderNo, requestMac }: Ordering,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error
  const isDuplicate = duplicateCodes.includes(error.code)
  // Only a repeated payment gets the trade number of the first payment. Other duplicates need no query.
  if (isDuplicate && requestMac === undefined) return error
  // An order number that is invalid cannot have been stored, so no query is needed.
  const isValid = typeof merOrderNo === 'string' && brokenText(merOrderNo, 32) === undefined
  if (merchant === undefined || !makesOrder(endpoints[path]) || !isValid) return error
  const duplicate = await deps.duplicateOf(merchant.merNo, merOrderNo).catch((fault: unknown) => {
    // The order exists but cannot be read now. The request is still a duplicate.
    if (isDuplicate) return undefined
    throw fault
  })
  if (duplicate === undefined) return error
  const refusal = isDuplicate ? error : duplicate.refusal
  const isRepeated = requestMac !== undefined && requestMac === duplicate.first.requestMac
  return isRepeated ? new RepeatedPayment(refusal, duplicate.first.tradeNo) : refusal
}
