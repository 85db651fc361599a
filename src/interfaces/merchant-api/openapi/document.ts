// The OpenAPI document of the merchant interface, made from the tables of the interface. Only names, texts for readers,
// and the notifications of each request are written here.

import { eventRules, type NotificationEvent } from '../../../money/notifications/notification.ts'
import { catalogue } from '../../../platform/errors/catalogue.ts'
import { type Endpoint, type EndpointPath, endpoints, isEndpoint } from '../endpoints.ts'
import { tablesOf } from '../fields/described-tables.ts'
import { answers, answersOf, notificationFields, signature } from '../fields/sent-fields.ts'
import { examples } from './examples.ts'
import { componentResponses, responsesOf } from './responses.ts'
import { objectSchema, type Schema, splitSchemas } from './schemas.ts'

export type Described = { readonly baseUrl: string; readonly version: string }

export const operations: Readonly<Record<EndpointPath, readonly [id: string, tag: string, summary: string]>> =
  {
    '/payment': ['pay', 'Pay-in', 'Take a payment by the method that the header names'],
    '/cashier/checkStand': [
      'checkoutPage',
      'Pay-in',
      'Open a checkout, and get a page that leads the payer to it',
    ],
    '/cashier/checkStandPay': ['checkout', 'Pay-in', 'Open a checkout, and get its address'],
    '/cashier/checkStandPayment': ['checkoutBy', 'Pay-in', 'Open a checkout for one method'],
    '/payout': ['payOut', 'Payout', 'Pay money out of the balance'],
    '/refund/apply': ['refund', 'Refund', 'Refund a payment, wholly or in part'],
    '/order/query': ['queryOrder', 'Query', 'Look up an order, its refund or its chargeback'],
    '/balance/query': ['queryBalance', 'Query', 'Look up balances'],
    '/order/queryOrderList': ['listOrders', 'Query', 'List orders, newest first'],
    '/order/queryAmount': ['queryTotals', 'Query', 'Add up orders by currency'],
    '/file/upload': ['uploadFile', 'Review', 'Upload a file for a review'],
    '/review/submit': ['submitReview', 'Review', 'Submit the information that a review asks for'],
  }

const ABOUT = `Every request is signed. \`sign\` is the MD5 of the fields that the operation names, in that order and without
separators, followed by the merchant key, as 32 hex digits in upper case; or an RSA signature. OpenAPI has no scheme for a
signature in the body, so this document declares no security scheme. HTTP status 200 says only that the gateway has
answered: read \`code\`, which is \`00000\` for success.`

/** The project grants no licence, and SPDX has no identifier for this case. */
const license = { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' }

const tags: Readonly<Record<string, string>> = {
  'Pay-in': 'Take payments, by one method or on a page where the payer chooses.',
  Payout: 'Send money to beneficiaries.',
  Refund: 'Give payments back, wholly or in part.',
  Query: 'Look up orders, refunds, chargebacks, totals and balances.',
  Review: 'Send the information that a held payment needs.',
}

const endpointPaths = Object.keys(endpoints).filter(isEndpoint)

export function openApiDocument({ baseUrl, version }: Described): Schema {
  const contact = { name: 'The operator of this gateway', url: baseUrl }
  const paths = endpointPaths.map((path) => [path, { post: operation(path, endpoints[path]) }])
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate merchant interface', version, description: ABOUT, contact, license },
    externalDocs: { url: `${baseUrl}/docs` },
    servers: [{ url: baseUrl }],
    // OpenAPI cannot describe a signature in the body. The empty list says that no scheme of OpenAPI is used, and
    // satisfies linters.
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { schemas: componentSchemas(), responses: componentResponses() },
  }
}

function operation(path: EndpointPath, endpoint: Endpoint): Schema {
  const [operationId, tag, summary] = operations[path]
  const { signed, signedLonger, body } = endpoint
  const longer = signedLonger === undefined ? '' : ` It may also cover ${signedLonger.join(', ')}.`
  const media = body === 'json' ? 'application/json' : 'multipart/form-data'
  const parameters = parametersOf(path, endpoint)
  return {
    operationId,
    tags: [tag],
    summary,
    description: `An MD5 signature covers ${signed.join(', ')}, and the key.${longer}`,
    ...(parameters.length > 0 && { parameters }),
    requestBody: {
      required: true,
      content: {
        [media]: { schema: ref(requestName(path)), examples: examplesOf(path, ({ body: value }) => value) },
      },
    },
    responses: responsesOf(path, endpoint, ref(`${pascal(operationId)}Response`)),
    ...callbacksOf(endpoint),
  }
}

function parametersOf(path: EndpointPath, { chosenBy, choices, checksReferer }: Endpoint): Schema[] {
  const parameters: Schema[] = []
  if (chosenBy?.in === 'header')
    parameters.push({
      name: chosenBy.name,
      in: 'header',
      description: 'The payment method. Leave it out for cards.',
      schema: { type: 'string', enum: [...choices.keys()] },
      examples: examplesOf(path, ({ header = '' }) => header),
    })
  if (checksReferer)
    parameters.push({
      name: 'Referer',
      in: 'header',
      required: true,
      description:
        "A page of one of the merchant's registered websites. Clients other than browsers set it themselves.",
      schema: { type: 'string', format: 'uri' },
      example: 'https://shop.example/cart',
    })
  return parameters
}

type Chosen = (example: (typeof examples)[EndpointPath][string]) => Schema[string]

function examplesOf(path: EndpointPath, chosen: Chosen): Schema {
  const values = Object.entries(examples[path]).map(([name, example]) => [name, { value: chosen(example) }])
  return Object.fromEntries(values)
}

function componentSchemas(): Schema {
  const requests = endpointPaths.flatMap((path) => requestSchemas(path, endpoints[path]))
  const data = Object.entries(answers).map(([name, table]) => [`${pascal(name)}Data`, objectSchema(table)])
  const responses = endpointPaths.flatMap((path) => responseSchema(path, answersOf[path]))
  const notifications = Object.entries(notificationFields).map(([event, table]) => {
    return [notificationName(event), objectSchema([...table, ...signature])] as const
  })
  const meanings = Object.entries(catalogue).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  return Object.fromEntries([
    ['Code', { type: 'string', enum: Object.keys(catalogue), description: meanings.join('\n') }],
    ['Refusal', envelope()],
    ...requests,
    ...responses,
    ...data,
    ...notifications,
  ])
}

function requestSchemas(path: EndpointPath, endpoint: Endpoint): [string, Schema][] {
  const name = requestName(path)
  const tables = new Map([...tablesOf(endpoint)].map(([key, { table }]) => [key, table]))
  const only = tables.get('')
  if (only !== undefined) return [[name, withFile(endpoint, objectSchema(only))]]
  const { base, rest } = splitSchemas(tables)
  const parts = [...rest].map(([key, own]): [string, Schema] => {
    return [`${name}${pascal(key)}`, { allOf: [ref(`${name}Base`), own] }]
  })
  return [[name, { anyOf: parts.map(([part]) => ref(part)) }], [`${name}Base`, base], ...parts]
}

/** Adds the file of an upload to the schema. In the request, the file is a separate part next to the fields. */
function withFile({ body }: Endpoint, schema: Schema): Schema {
  if (body === 'json') return schema
  const { properties = {}, required = [] } = schema
  const file = { type: 'string', contentMediaType: 'application/octet-stream', format: 'binary' }
  return {
    ...schema,
    properties: { ...Object(properties), file },
    required: [...(Array.isArray(required) ? required : []), 'file'],
  }
}

function responseSchema(path: EndpointPath, names: readonly string[]): [string, Schema][] {
  const repeated: (keyof typeof answers)[] = endpoints[path].does === 'pay' ? ['repeatedPayment'] : []
  const [first, ...others] = [...names, ...(names.length > 0 ? repeated : [])].map((name) =>
    ref(`${pascal(name)}Data`),
  )
  if (first === undefined) return []
  const data = others.length === 0 ? first : { anyOf: [first, ...others] }
  return [[`${pascal(operations[path][0])}Response`, envelope(data)]]
}

/** Returns the schema of an envelope. A refusal has no `data`, except the refusal of a repeated payment. */
function envelope(data?: Schema): Schema {
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: ref('Code'),
      message: { type: 'string' },
      ...(data && { data, sign: { type: 'string' } }),
    },
  }
}

function requestName(path: EndpointPath): string {
  return `${pascal(operations[path][0])}Request`
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * The notifications that a request may cause, each with the request's field that contains the address of the
 * notification.
 */
export const addresses: Readonly<
  Record<Endpoint['does'], readonly (readonly [NotificationEvent, field: string])[]>
> = {
  pay: [
    ['payment', 'notifyUrl'],
    ['review', 'notifyUrl'],
    ['chargeback', 'protestNotifyUrl'],
  ],
  payout: [['payout', 'notifyUrl']],
  refund: [['refund', 'notifyUrl']],
  query: [],
  review: [],
}

export const summaries: Readonly<Record<NotificationEvent, string>> = {
  payment: 'The final result of a payment',
  payout: 'The final result of a payout',
  review: 'More information is needed; sent only to merchants who turned it on',
  refund: 'The final result of a refund',
  chargeback: 'A chargeback was opened, won or lost',
}

const mediaTypes = { form: 'application/x-www-form-urlencoded', json: 'application/json' } as const

const parameters = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
  return { name, in: 'header', required: true, schema: { type: 'string' } }
})

function callbacksOf({ does }: Endpoint): Schema {
  const callbacks = addresses[does].map(([event, field]) => {
    return [event, { [`{$request.body#/${field}}`]: { post: notification(event) } }]
  })
  return callbacks.length === 0 ? {} : { callbacks: Object.fromEntries(callbacks) }
}

function notification(event: NotificationEvent): Schema {
  const { contentType, acknowledgedBy } = eventRules[event]
  const schema = { $ref: `#/components/schemas/${notificationName(event)}` }
  return {
    summary: summaries[event],
    description: 'Verify `sign` or the `webhook-signature` before you use it. It may arrive more than once.',
    parameters,
    requestBody: { required: true, content: { [mediaTypes[contentType]]: { schema } } },
    responses: {
      '200': {
        description: 'Acknowledges it. After anything else it is sent again, nine times in all.',
        content: { 'text/plain': { schema: { type: 'string', enum: acknowledgedBy } } },
      },
      '400': {
        description: 'The receiver found a wrong signature. The notification stays unacknowledged.',
      },
    },
  }
}

function notificationName(event: string): string {
  return `${event.charAt(0).toUpperCase()}${event.slice(1)}Notification`
}
