// The merchants' servers of a simulation, which receive notifications and respond with the behaviour that the
// simulation sets.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { seededRandom } from '../../test/harness/random.ts'
import type { Behaviour, Notification } from '../world/merchants.ts'

const SLOW_MS = 3_000

const random = seededRandom(Number(process.argv[2]))
const received: Notification[] = []
let misbehaved = 0
let share = 0
let behaviours: readonly Behaviour[] = []

const answers: Readonly<Record<Behaviour, (response: ServerResponse) => void>> = {
  ok: (response) => response.end('SUCCESS'),
  hang: () => {},
  error: (response) => response.writeHead(500).end('SUCCESS'),
  'wrong-body': (response) => response.end('OK'),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  reset: (response) => response.socket?.resetAndDestroy(),
  slow: (response) => setTimeout(() => response.end('SUCCESS'), SLOW_MS),
}

const server = createServer(async (request, response) => {
  const path = request.url ?? ''
  const body = await text(request).catch(() => '')
  if (path.startsWith('/control/')) control(path.slice('/control/'.length), body, response)
  else receive(request, body, response)
})
server.keepAliveTimeout = 4_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
console.log(`ready http://127.0.0.1:${address.port}`)

function receive({ url = '', headers }: IncomingMessage, body: string, response: ServerResponse): void {
  const behaviour = random.chance(share) ? (random.pick(behaviours) ?? 'ok') : 'ok'
  if (behaviour !== 'ok') misbehaved += 1
  const acknowledged = behaviour === 'ok' || behaviour === 'slow'
  const header = (name: string) => String(headers[name])
  received.push({
    path: url,
    contentType: header('content-type'),
    webhookId: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
    body,
    acknowledged,
  })
  answers[behaviour](response)
}

function control(what: string, body: string, response: ServerResponse): void {
  if (what === 'behave') ({ behaviours, share } = JSON.parse(body))
  const [name, from] = what.split('/')
  response.end(JSON.stringify(name === 'received' ? received.slice(Number(from)) : misbehaved))
  if (what === 'misbehaved') misbehaved = 0
}
