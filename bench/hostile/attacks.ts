// Every attack by its name, as the report shows it.
import { cardBody } from '../../test/harness/client.ts'
import type { Attack, Victim } from './attack.ts'
import { dribblingMerchants } from './dribbling-merchants.ts'
import { publicAttacks } from './public-routes.ts'
import { holdConnections, httpPost, repeatRequest } from './raw-client.ts'

const CLIENTS = 4
const UPLOAD_BYTES = 2_000_000
const PART = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'

/** Unsigned uploads of as many tiny parts as fit into the body. */
const tinyParts: Attack = async ({ port }) => {
  const body = Buffer.from(`${PART.repeat(Math.floor(UPLOAD_BYTES / PART.length))}--b--\r\n`)
  return repeatRequest(port, CLIENTS, httpPost('/file/upload', 'multipart/form-data; boundary=b', body))
}

const JSON_BYTES = 1_000_000

/** An unsigned payment of a megabyte with as many list elements as fit. */
const manyElements: Attack = (victim) =>
  sendJson(victim, `{"productInfoList":[${'{},'.repeat(JSON_BYTES / 3)}{}]}`)

/** An unsigned payment of a megabyte with as many names as fit. */
const manyNames: Attack = (victim) => {
  const names = Array.from({ length: JSON_BYTES / 12 }, (_, at) => `"n${at}":1`)
  return sendJson(victim, `{${names.join(',')}}`)
}

async function sendJson({ port }: Victim, body: string): ReturnType<Attack> {
  return repeatRequest(port, CLIENTS, httpPost('/payment', 'application/json', Buffer.from(body)))
}

const CALLERS = 600

/** One payer's link, requested by many clients concurrently: each request makes the gateway query the wallet. */
const oneLink: Attack = async ({ port, payUrl }) => {
  const { pathname } = new URL(payUrl)
  return repeatRequest(
    port,
    CALLERS,
    Buffer.from(`GET ${pathname}/complete HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
  )
}

const CONNECTIONS = 150
const DECLARED_BYTES = 1_048_576
/** The number of requests that a connection sends at once. Their unread responses exceed the socket's buffers. */
const UNREAD = 300
const LARGE_ANSWER = 'GET /assets/pay.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

/** Bodies that never end. */
const endlessBodies: Attack = async ({ port }) => {
  const body = Buffer.alloc(DECLARED_BYTES - 1, ' ')
  return holdConnections(port, CONNECTIONS, httpPost('/payment', 'application/json', body, DECLARED_BYTES))
}

/** Responses that are never read. */
const unreadAnswers: Attack = async ({ port }) =>
  holdConnections(port, CONNECTIONS, Buffer.from(LARGE_ANSWER.repeat(UNREAD)))

/** Payments of a known merchant with wrong signatures, from the address of the measured payments. */
const wrongSignatures: Attack = async ({ port, shop }) => {
  const body = cardBody({ ...shop, baseUrl: '' }, { sign: 'A'.repeat(32) })
  return repeatRequest(
    port,
    CLIENTS,
    httpPost('/payment', 'application/json', Buffer.from(JSON.stringify(body))),
  )
}

export const attacks: Readonly<Record<string, Attack>> = {
  'uploads of tiny parts, 4 clients': tinyParts,
  'a megabyte of list elements, 4 clients': manyElements,
  'a megabyte of names, 4 clients': manyNames,
  "one payer's link, 600 callers": oneLink,
  'bodies that never end, 150 connections': endlessBodies,
  'responses that are never read, 150 connections': unreadAnswers,
  'merchants that dribble, 10 servers': dribblingMerchants,
  'wrong signatures, 4 clients': wrongSignatures,
  ...publicAttacks,
}
