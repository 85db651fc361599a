// Bodies that never end, and answers that nobody reads.
import type { Attack } from '../attack.ts'
import { holdConnections, httpPost } from '../raw-client.ts'

const CONNECTIONS = 150
const DECLARED_BYTES = 1_048_576
/** On each connection, one behind the other: more than a socket's buffers hold of answers that nobody reads. */
const UNREAD = 300
const LARGE_ANSWER = 'GET /assets/pay.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

export const endlessBodies: Attack = async ({ port }) => {
  const body = Buffer.alloc(DECLARED_BYTES - 1, ' ')
  return holdConnections(port, CONNECTIONS, httpPost('/payment', 'application/json', body, DECLARED_BYTES))
}

export const unreadAnswers: Attack = async ({ port }) =>
  holdConnections(port, CONNECTIONS, Buffer.from(LARGE_ANSWER.repeat(UNREAD)))
