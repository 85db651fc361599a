// Unsigned payments of a megabyte that hold as many list elements, or as many names, as fit.
import type { Attack } from '../attack.ts'
import { httpPost, repeatRequest } from '../raw-client.ts'

const CLIENTS = 4
const BODY_BYTES = 1_000_000

export const manyElements: Attack = (victim) =>
  send(victim, `{"productInfoList":[${'{},'.repeat(BODY_BYTES / 3)}{}]}`)

export const manyNames: Attack = (victim) => {
  const names = Array.from({ length: BODY_BYTES / 12 }, (_, at) => `"n${at}":1`)
  return send(victim, `{${names.join(',')}}`)
}

const send: (victim: Parameters<Attack>[0], body: string) => ReturnType<Attack> = async ({ port }, body) =>
  repeatRequest(port, CLIENTS, httpPost('/payment', 'application/json', Buffer.from(body)))
