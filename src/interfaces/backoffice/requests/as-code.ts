// Writes a logged request as code to copy: a curl command, and a call of the SDK. This file repeats the names of the
// SDK's functions. A test compares them with sdk/src/tollgate.ts.
import { withdrawTypes } from '../../../money/payouts/payout.ts'
import type { WholeRequest } from '../../../platform/request-log/entry.ts'
import { type Endpoint, type EndpointPath, endpoints, isEndpoint } from '../../merchant-api/endpoints.ts'
import { MASK } from '../../merchant-api/log-request.ts'

export type Logged = Pick<WholeRequest, 'endpoint' | 'merNo' | 'referer' | 'paymentType' | 'body'>

/** Returns the request as a curl command. The person who uses it must fill in the masked values. */
export function asCurl(baseUrl: string, request: WholeRequest): string {
  const { endpoint, paymentType, referer, body } = request
  const lines = [
    `curl ${quoted(baseUrl + endpoint)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    ...(paymentType === '' ? [] : [`-H ${quoted(`paymentType: ${paymentType}`)}`]),
    ...(referer === '' ? [] : [`-H ${quoted(`Referer: ${referer}`)}`]),
    `--data ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that the client of the SDK fills in. */
const filledIn: readonly string[] = ['merNo', 'sign', 'sing', 'operationType']

/**
 * Returns the request as a call of the SDK. Undefined if the endpoint, payment method or kind of payout is unknown, or
 * if the body is not an object.
 */
export function asSdk(baseUrl: string, request: Logged): string | undefined {
  const { endpoint, merNo, referer } = request
  const body = parsed(request.body)
  if (body === undefined || !isEndpoint(endpoint)) return undefined
  const call = callOf(endpoint, request, body)
  if (call === undefined) return undefined
  const settings = { baseUrl, merNo, key: MASK, site: URL.parse(referer)?.host ?? MASK }
  return `import { Tollgate } from '@tollgate/sdk'

const tollgate = new Tollgate(${literal(settings)})

${call}
`
}

function parsed(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const simple: Readonly<Partial<Record<EndpointPath, string>>> = {
  '/cashier/checkStand': 'checkoutPage',
  '/cashier/checkStandPay': 'checkout',
  '/refund/apply': 'refund',
  '/balance/query': 'balance',
  '/order/queryAmount': 'totals',
  '/review/submit': 'submitReview',
}

const chosen: Readonly<Partial<Record<EndpointPath, string>>> = {
  '/payment': 'pay',
  '/cashier/checkStandPayment': 'checkoutBy',
  '/payout': 'payOut',
}

function callOf(path: EndpointPath, request: Logged, body: Fields): string | undefined {
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !filledIn.includes(name)))
  const { [path]: name } = simple
  if (name !== undefined) return awaited(`tollgate.${name}(${literal(fields)})`)
  if (chosen[path] !== undefined) return choosing(path, request, fields)
  if (path === '/order/query') return asking(fields)
  if (path === '/file/upload') return awaited(`tollgate.uploadFile(${literal(fields)}, file)`)
  const { pageNum: _page, asOf: _asOf, ...filter } = fields
  return `for await (const order of tollgate.orders(${literal(filter)})) console.log(order)`
}

function choosing(path: EndpointPath, { paymentType }: Logged, fields: Fields): string | undefined {
  const endpoint: Endpoint = endpoints[path]
  const chooser = endpoint.chosenBy?.name ?? ''
  const { [chooser]: field, ...others } = fields
  const value = endpoint.chosenBy?.in === 'header' ? paymentType : String(field)
  const choice = endpoint.does === 'payout' ? withdrawTypes.get(value) : endpoint.choices.get(value)?.method
  return choice && awaited(`tollgate.${chosen[path]}('${choice}', ${literal(others)})`)
}

function asking({ queryType, version: _version, ...numbers }: Fields): string {
  if (queryType === 'refund') return awaited(`tollgate.queryRefund(${literal(numbers)})`)
  if (queryType === 'chargeback') return awaited(`tollgate.queryChargeback(${literal(numbers)})`)
  return awaited(`tollgate.order(${literal(numbers)}).resolve({ waitMs: 0 })`)
}

function awaited(call: string): string {
  return `console.log(await ${call})`
}

/** Writes a value as a TypeScript literal. Only unusual property names get quotes. Most texts get single quotes. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`
  if (!isFields(value)) return typeof value === 'string' ? text(value) : JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, one]) => `${inner}${nameOf(name)}: ${literal(one, inner)},\n`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

function text(value: string): string {
  return /^[^'"\\\p{C}]*$/u.test(value) ? `'${value}'` : JSON.stringify(value)
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : JSON.stringify(name)
}
