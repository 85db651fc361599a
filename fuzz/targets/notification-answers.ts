// Answers of merchants to notifications. Each input makes a payment. A merchant's server answers the payment's
// notification with the bytes of the input.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { signedRequest } from '../../bench/shop.ts'
import { cardBody } from '../../test/harness/client.ts'
import { problemOf } from '../checks/answers.ts'
import { openSender } from '../http.ts'
import type { Input, Target } from '../input.ts'
import { mutateHead } from '../mutations/head.ts'
import { mutateText } from '../mutations/text.ts'
import type { World } from '../world.ts'

const seeds: readonly Input[] = [
  { head: 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 7', body: 'SUCCESS' },
  { head: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked', body: '3\r\nsuc\r\n4\r\ncess\r\n0\r\n\r\n' },
  { head: 'HTTP/1.1 200 OK\r\nconnection: close', body: ' SUCCESS\n' },
  { head: 'HTTP/1.0 201 Created\r\ncontent-length: 7', body: 'success' },
  { head: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 7', body: 'SUCCESS' },
]

/** The longest wait for the notifications of the seeds, which must be answered. */
const FIRST_WITHIN_MS = 10_000
/**
 * The longest wait for later notifications. The gateway calls a host with invalid answers less often, so some of these
 * notifications arrive after the wait.
 */
const DELIVERED_WITHIN_MS = 200

export async function openNotificationAnswers(world: World): Promise<Target> {
  const shop = await openMerchantServer()
  const sender = openSender(world.port)
  return {
    name: 'notification-answers',
    runsIn: 'gateway',
    atOnce: 16,
    batch: 64,
    seeds,
    mutate(input, random, other) {
      const { head = '', body = '' } = input
      if (random.chance(0.5)) return { head: mutateHead(head, random, other.head ?? ''), body }
      return { head, body: mutateText(body, random, other.body ?? '') }
    },
    async run({ head = '', body = '' }) {
      const delivery = shop.expect(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'))
      const payment = cardBody(world.account, { notifyUrl: delivery.url })
      const answer = await sender.send(signedRequest(world.account, '/payment', payment))
      const accepted = await delivery.sent
      return { accepted, problem: problemOf(answer), answer: answer.text }
    },
    async close() {
      sender.close()
      await shop.close()
    },
  }
}

type Expected = { readonly answer: Buffer; readonly sent: () => void }

const acknowledgement = Buffer.from(
  'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 7\r\n\r\nSUCCESS',
)

/** The first delivery of an expected notification gets the given bytes; all others are acknowledged. */
async function openMerchantServer() {
  const expected = new Map<string, Expected>()
  const open = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    let received = ''
    socket.setEncoding('latin1').on('data', (piece) => {
      received += piece
      if (!isWhole(received)) return
      const path = received.split(' ', 2)[1] ?? ''
      received = ''
      const one = expected.get(path)
      expected.delete(path)
      socket.end(one?.answer ?? acknowledgement, () => one?.sent())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    expect(answer: Buffer): { readonly url: string; readonly sent: Promise<boolean> } {
      const path = `/notify/${++count}`
      const withinMs = count > seeds.length ? DELIVERED_WITHIN_MS : FIRST_WITHIN_MS
      const sent = new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), withinMs)
        expected.set(path, { answer, sent: () => resolve(true) })
      })
      return { url: `http://127.0.0.1:${address.port}${path}`, sent }
    },
    async close() {
      for (const socket of open) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

function isWhole(received: string): boolean {
  const bodyAt = received.indexOf('\r\n\r\n') + 4
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0)
  return bodyAt > 3 && received.length >= bodyAt + length
}
