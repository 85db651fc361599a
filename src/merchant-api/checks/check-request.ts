// The order of checks. The first that fails answers, and nothing is stored:
// what the head says (check-head.ts), JSON and types, merchant, state, Referer, signed fields, signature, rate, version,
// order number, method, fields.
// What comes after (currency, channel, limits) is the handler's.
import type { IncomingHttpHeaders } from 'node:http'
import { traitsOf } from '../../channels/method.ts'
import { Refusal } from '../../errors/catalogue.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import {
  type Choice,
  choicesInWords,
  type Endpoint,
  type EndpointPath,
  endpoints,
  makesOrder,
  mayCall,
  tableOfNoChoice,
} from '../endpoints.ts'
import { type Body, checkTypes, isEmpty } from '../fields/check-types.ts'
import { knownVersions, type Table } from '../fields/field.ts'
import { breaks, brokenText, readFields } from '../fields/read-fields.ts'
import type { FrameDeps } from '../frame.ts'
import { authenticate, checkSignedFields, isReplayProof } from './authenticate.ts'
import { CheckedRequest } from './checked-request.ts'
import { checkMultipartType, type Multipart, parseMultipart } from './multipart.ts'
import { parseBody } from './parse-body.ts'
import type { ClientLimits } from './rate-limits.ts'
import { checkReferer } from './referer.ts'

export type IncomingRequest = {
  readonly path: EndpointPath
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** The language tag that the body asks for, once it is read. */
  language?: string
}

/** A request whose fields have their types; nobody knows yet whose it is. */
type Asked = IncomingRequest & {
  readonly endpoint: Endpoint
  readonly body: Body
  /** Of the choice, or the one that stands in for it. */
  readonly table: Table
  /** Of a multipart request; none otherwise. */
  readonly files: readonly Buffer[]
  readonly chosen: string
  readonly choice: Choice | undefined
}

/** A merchant whose signature fits. */
export type Caller = { readonly merchant: Merchant; readonly asked: Asked }

/** What is left of a caller while its request is worked on. */
export type Asker = {
  readonly endpoint: Endpoint
  readonly merchant: Merchant
  readonly merOrderNo: unknown
}

export function askerOf({ merchant, asked: { endpoint, body } }: Caller): Asker {
  return { endpoint, merchant, merOrderNo: body.merOrderNo }
}

/** As far as the signature; at once, unless there is something to wait for. */
export function checkCaller(
  deps: FrameDeps,
  limits: ClientLimits,
  incoming: IncomingRequest,
  bytes: Buffer,
): Caller | Promise<Caller> {
  const read =
    endpoints[incoming.path].body === 'multipart' ? readMultipart(incoming, bytes) : readJson(incoming, bytes)
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

function callerOf(deps: FrameDeps, limits: ClientLimits, asked: Asked): Caller | Promise<Caller> {
  const found = findMerchant(deps, asked.body)
  return found instanceof Promise
    ? found.then((merchant) => checkMerchant(deps, limits, asked, merchant))
    : checkMerchant(deps, limits, asked, found)
}

function checkMerchant(
  deps: FrameDeps,
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

/** What follows the signature and precedes the order number. */
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
  // The answer is a page in the order's language, a refusal as well.
  if (endpoints[incoming.path].answers === 'html' && typeof body.language === 'string')
    incoming.language = body.language
  return { body, files: NO_FILES }
}

/** The value that chooses the method or kind, '' when there is none. Of another type it is refused with the other types. */
export function chosenBy(endpoint: Endpoint, headers: IncomingHttpHeaders, body: Body): string {
  const { chosenBy } = endpoint
  if (chosenBy === undefined) return ''
  const value = chosenBy.in === 'header' ? headers[chosenBy.header] : body[chosenBy.name]
  return typeof value === 'string' ? value : ''
}

const GREATEST_MER_NO = 9_999_999_999

function findMerchant(deps: FrameDeps, body: Body): ReturnType<FrameDeps['findMerchant']> | undefined {
  if (isEmpty(body.merNo)) throw new Refusal('10002', 'merNo')
  const merNo = Number(body.merNo)
  return merNo >= 0 && merNo <= GREATEST_MER_NO ? deps.findMerchant(merNo) : undefined
}

function checkSignature(
  deps: FrameDeps,
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
    throw waitSeconds === 0 ? error : tooManyWrong(waitSeconds)
  }
}

function tooManyWrong(retryAfterSeconds: number): Refusal {
  const why = `too many wrong signatures for this merchant from this address, wait ${retryAfterSeconds} s`
  return new Refusal('10107', why, { retryAfterSeconds })
}

/** The method, then the other fields. */
export function checkFields(deps: FrameDeps, { merchant, asked }: Caller): CheckedRequest {
  const { endpoint, body, files, chosen, choice } = asked
  if (choice === undefined) throw new Refusal(chosen === '' ? '10000' : '10001', choicesInWords(endpoint))
  const currency = typeof body.currencyCode === 'string' ? body.currencyCode : ''
  const values = readFields(choice.table, body, { mode: deps.mode, currency })
  const checked = new CheckedRequest(merchant, choice, values, files, isReplayProof(merchant, asked, deps))
  checkMethodRules(checked)
  return checked
}

/** What a method asks beyond the table, for example check digits. */
function checkMethodRules(checked: CheckedRequest): void {
  const { method } = checked
  const problem = method && traitsOf(method).checkFields?.(checked.fields)
  if (problem !== undefined) throw breaks(problem.field, problem.rule)
}

/** These say already that it is a duplicate. */
const duplicates: readonly string[] = ['10003', '10009']

/**
 * The order number stands early among the checks, so that a retry after a time-out is told "duplicate" and not, say,
 * "limit reached". On the good path the insert decides; only a refusal looks the number up. Tells what to answer;
 * whose number it is must be known.
 */
export async function orDuplicate(
  deps: FrameDeps,
  asker: Asker | undefined,
  error: unknown,
): Promise<unknown> {
  if (asker === undefined || !(error instanceof Refusal) || duplicates.includes(error.code)) return error
  const { endpoint, merchant, merOrderNo } = asker
  // One that could never have been stored cannot be a duplicate, nor be looked up.
  const canStand = typeof merOrderNo === 'string' && brokenText(merOrderNo, 32) === undefined
  if (!makesOrder(endpoint) || !canStand) return error
  return (await deps.duplicateOf(merchant.merNo, merOrderNo)) ?? error
}
