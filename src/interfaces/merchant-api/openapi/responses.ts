// The responses of each operation, by HTTP status. Almost all refusals of the merchant interface have the status 200
// and their own code. The other statuses are those of the transport, and two of Vietnam Pay.
import type { Endpoint, EndpointPath } from '../endpoints.ts'
import type { Schema } from './schemas.ts'

const retryAfter: Schema = {
  'Retry-After': { description: 'The seconds to wait', schema: { type: 'integer', minimum: 0 } },
}

type Refused = { readonly name: string; readonly why: string; readonly mayRetry?: true }

/** The statuses of the transport. Every operation has them. */
const transport: Readonly<Record<string, Refused>> = {
  '413': { name: 'TooLarge', why: 'The body is too large: code 99997' },
  '415': { name: 'WrongContentType', why: 'The Content-Type is not the one of the operation: code 99997' },
  '429': {
    name: 'TooManyRequests',
    why: 'Too many requests, wrong signatures or failed requests: code 10107',
    mayRetry: true,
  },
  '503': {
    name: 'Unavailable',
    why: 'The gateway is overloaded, stops, or cannot use its database, and has stored nothing: code 99999',
    mayRetry: true,
  },
}

/** The statuses of Vietnam Pay, which is `/payment` with the header `paymentType: VN_BANK`. */
const ofVietnamPay: Readonly<Record<string, Refused>> = {
  '400': {
    name: 'InvalidInput',
    why: 'Only Vietnam Pay: a field is empty or wrong, code 10002, 99996 or 99997',
  },
  '404': { name: 'RecordNotFound', why: 'Only Vietnam Pay: the bank does not exist, code 10013' },
}

const envelope: Schema = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
const page: Schema = { 'text/html': { schema: { type: 'string' } } }

export function responsesOf(path: EndpointPath, { answers }: Endpoint, answer: Schema): Schema {
  const statuses = { ...transport, ...(path === '/payment' && ofVietnamPay) }
  const isPage = answers === 'html'
  const refused = Object.entries(statuses).map(([status, one]) => {
    return [status, isPage ? responseTo(one, page) : { $ref: `#/components/responses/${one.name}` }]
  })
  const content = isPage ? page : { 'application/json': { schema: answer } }
  return {
    '200': { description: 'The outcome, or a refusal with its code', content },
    ...Object.fromEntries(refused),
    default: isPage ? { ...other, content: page } : { $ref: '#/components/responses/Refused' },
  }
}

const other: Schema = { description: 'The request was not processed. `message` says why.' }

function responseTo({ why, mayRetry }: Refused, content: Schema): Schema {
  return { description: why, ...(mayRetry && { headers: retryAfter }), content }
}

/** Returns the responses that operations refer to by name. */
export function componentResponses(): Schema {
  const named = Object.values({ ...ofVietnamPay, ...transport }).map((one) => {
    return [one.name, responseTo(one, envelope)]
  })
  return { ...Object.fromEntries(named), Refused: { ...other, content: envelope } }
}
