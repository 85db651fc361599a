// Bodies that never end, and responses that are never read.
import type { Attack } from '../attack.ts'
import { holdConnections, httpPost } from '../raw-client.ts'

const CONNECTIONS = 150
const DECLARED_BYTES = 1_048_576
/** Requests per connection, one behind the other: their unread responses exceed the socket's buffers. */
const UNREAD = 300
const LARGE_ANSWER = 'GET /assets/pay.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

export const endlessBodies: Attack = async ({ port }) => {
  const body = Buffer.alloc(DECLARED_BYTES - 1, ' ')
  return holdConnections(port, CONNECTIONS, httpPost('/payment', 'application/json', body, DECLARED_BYTES))
}

export const unreadAnswers: Attack = async ({ port }) =>
  holdConnections(port, CONNECTIONS, Buffer.from(LARGE_ANSWER.repeat(UNREAD)))
