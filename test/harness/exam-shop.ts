// A merchant's server for the integration exam: a correct one, or one with a fault that real shops have.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Notification, verifyNotification } from '../../sdk/src/notification.ts'
import { signFields } from '../../src/money/merchants/sign-fields.ts'

export type ShopSecrets = { readonly key: string; readonly webhookSecret: string }

export type Fault =
  | 'takes forged ones'
  | 'takes those signed with an empty key'
  | 'fails on repeated ones'
  | 'credits repeated ones again'
  | 'forgets refunds'
  | 'never compares amounts'
  | 'writes the body again'
  | 'reads the first piece only'
  | 'answers OK'
  | 'never answers'

export type ExamShop = {
  readonly notifyUrl: string
  readonly stateUrl: string
  close(): void
}

/** The price of each order of the exam. */
const PRICE = '10.00'

type Kept = { state: 'open' | 'paid' | 'failed' | 'refunded' | 'charged-back'; credits: number }

export async function openExamShop(
  secrets: ShopSecrets,
  fault?: Fault,
  host = '127.0.0.1',
): Promise<ExamShop> {
  const orders = new Map<string, Kept>()
  const seen = new Set<string>()
  const orderOf = (merOrderNo: string): Kept => {
    const order = orders.get(merOrderNo) ?? { state: 'open', credits: 0 }
    orders.set(merOrderNo, order)
    return order
  }

  async function receive(request: IncomingMessage): Promise<string> {
    const raw = String(await (fault === 'reads the first piece only' ? firstPiece(request) : buffer(request)))
    const { event, status, data, id } = await verified(raw, request.headers, secrets, fault)
    const isRepeated = seen.has(id ?? '')
    seen.add(id ?? '')
    if (isRepeated && fault === 'fails on repeated ones') throw new Error('duplicate key')
    const order = orderOf(String(data.merOrderNo))
    const isCredited = order.credits > 0 && fault !== 'credits repeated ones again'
    if (event === 'chargeback') order.state = 'charged-back'
    if (event === 'refund') order.state = 'refunded'
    if (event === 'payment' && status === 'failed' && order.state === 'open') order.state = 'failed'
    const isInFull = data.sourceAmount === PRICE || fault === 'never compares amounts'
    if (event === 'payment' && status === 'succeeded' && isInFull) {
      if (!isCredited) order.credits++
      if (order.state === 'open' || order.state === 'failed' || fault === 'forgets refunds')
        order.state = 'paid'
    }
    return fault === 'answers OK' ? 'OK' : 'SUCCESS'
  }

  const server = createServer((request, response) => {
    if (fault === 'never answers') return
    if (request.url === '/state')
      return void buffer(request).then((body) => {
        const merOrderNo = new URLSearchParams(String(body)).get('merOrderNo') ?? ''
        response.end(JSON.stringify({ merOrderNo, ...orderOf(merOrderNo) }))
      })
    receive(request).then(
      (answer) => response.end(answer),
      () => response.writeHead(400).end('refused'),
    )
  }).listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  const origin = `http://${host}:${address.port}`
  return {
    notifyUrl: `${origin}/notify`,
    stateUrl: `${origin}/state`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function firstPiece(request: IncomingMessage): Promise<Buffer> {
  const [piece] = await once(request, 'data')
  return piece
}

type Seen = {
  readonly event: string
  readonly status: string
  readonly data: Readonly<Record<string, unknown>>
  readonly id: string | undefined
}

async function verified(
  raw: string,
  headers: IncomingMessage['headers'],
  secrets: ShopSecrets,
  fault: Fault | undefined,
): Promise<Seen> {
  if (fault === 'takes forged ones') return unverified(raw, headers)
  if (fault === 'writes the body again') {
    checkHeaders(writtenAgain(raw), headers, secrets.webhookSecret)
    return unverified(raw, headers)
  }
  if (fault === 'takes those signed with an empty key') {
    const { sign, ...data } = Object.fromEntries(new URLSearchParams(raw))
    if (sign === (await signFields('payment', data, { kind: 'md5', key: '' })))
      return unverified(raw, headers)
  }
  const notification: Notification = await verifyNotification(raw, secrets, headers)
  return notification
}

function unverified(raw: string, headers: IncomingMessage['headers']): Seen {
  const data = raw.startsWith('{') ? JSON.parse(raw) : Object.fromEntries(new URLSearchParams(raw))
  const event = 'refundNo' in data ? 'refund' : 'reason' in data ? 'chargeback' : 'payment'
  const id = headers['webhook-id']
  return { event, status: data.code === '0' ? 'succeeded' : 'failed', data, id: [id].flat()[0] }
}

/** Parses the body and writes it as JSON or a form again, as a framework's parser would. */
function writtenAgain(raw: string): string {
  return raw.startsWith('{') ? JSON.stringify(JSON.parse(raw)) : new URLSearchParams(raw).toString()
}

function checkHeaders(body: string, headers: IncomingMessage['headers'], secret: string): void {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const mac = createHmac('sha256', key).update(signed).digest('base64')
  if (headers['webhook-signature'] !== `v1,${mac}`) throw new Error('the signature does not match')
}
