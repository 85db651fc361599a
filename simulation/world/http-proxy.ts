// An HTTP proxy between the gateways and their counterparties. The proxy misbehaves as networks and counterparties do:
// requests and responses get lost, arrive late or twice, or have changed content.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../test/harness/random.ts'

export type Misbehaviour =
  /** The counterparty never receives the request, and the caller waits until its timeout. */
  | 'request-lost'
  /** The counterparty carries out the request, and the caller waits until its timeout. */
  | 'answer-lost'
  | 'answer-cut'
  | 'answer-late'
  | 'sent-twice'
  /** The call is delayed so long that a later call about the same subject may arrive first. */
  | 'overtaken'
  | 'other-amount'
  | 'rubbish'
  | 'server-error'

export type HttpProxy = {
  readonly url: string
  /** Sets the share of calls that go wrong, and the kinds of faults. */
  misbehave(share: number, kinds: readonly Misbehaviour[]): void
  behave(): void
  /** The number of calls that the proxy is delaying and has not delivered yet. */
  delayed(): number
  close(): Promise<void>
}

export type HttpProxyOptions = {
  readonly target: () => string
  readonly random: Random
  /** True if a call may go wrong. All other calls always pass. */
  readonly mayFail: (request: IncomingMessage) => boolean
  /** A delay that is longer than the caller's timeout. */
  readonly lateMs: number
  readonly onFault: (kind: Misbehaviour) => void
  /** Called with each call before it is passed on. The proxy waits for the result. */
  readonly onCall?: (url: string, body: Buffer) => Promise<void>
}

type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export async function openHttpProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const { target, random, mayFail, lateMs, onFault } = options
  let share = 0
  let kinds: readonly Misbehaviour[] = []
  let delayed = 0

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 4_000

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    await options.onCall?.(request.url ?? '', body)
    const drawn = mayFail(request) && random.chance(share) ? random.pick(kinds) : undefined
    const kind = drawn === 'other-amount' && isAloneInSaying(request) ? undefined : drawn
    if (kind !== undefined) onFault(kind)
    await answer(kind, response, () => forward(target(), request, body))
  }

  async function answer(
    kind: Misbehaviour | undefined,
    response: ServerResponse,
    forwarded: () => Promise<Answer>,
  ): Promise<void> {
    switch (kind) {
      case undefined:
        return reply(response, await forwarded())
      case 'request-lost':
        return await hang(response)
      case 'answer-lost':
        await forwarded()
        return await hang(response)
      case 'answer-cut':
        return cut(response, await forwarded())
      case 'answer-late': {
        const late = await forwarded()
        await sleep(lateMs * (0.5 + random.below(100) / 100))
        return reply(response, late)
      }
      case 'sent-twice':
        await forwarded()
        return reply(response, await forwarded())
      case 'overtaken':
        // The delay may be so long that the caller queries the result of a call that has not arrived yet.
        await delay(random.below(4 * lateMs))
        return reply(response, await forwarded())
      case 'other-amount':
        return reply(response, withOtherAmount(await forwarded(), random))
      case 'rubbish':
        return reply(response, { ...(await forwarded()), body: Buffer.from(rubbish(random)) })
      case 'server-error':
        return reply(response, { status: 502, headers: {}, body: Buffer.from('<h1>Bad gateway</h1>') })
    }
  }

  async function delay(ms: number): Promise<void> {
    delayed += 1
    await sleep(ms)
    delayed -= 1
  }

  async function hang(response: ServerResponse): Promise<void> {
    await Promise.race([once(response, 'close'), sleep(lateMs * 10, undefined, { ref: false })])
    response.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server on a port has an address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    misbehave(newShare, newKinds) {
      share = newShare
      kinds = newKinds
    },
    behave() {
      share = 0
    },
    delayed: () => delayed,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * True for the list of disputes. Its amounts are not changed: only the issuer knows them, so no check could find a
 * wrong amount.
 */
function isAloneInSaying({ url = '' }: IncomingMessage): boolean {
  return url.endsWith('/chargebacks')
}

function forward(target: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers
  return new Promise((resolve, reject) => {
    const { method } = request
    const options = { method, headers: { ...headers, 'content-length': body.length } }
    const call = send(new URL(request.url ?? '/', target), options, async (response) => {
      const answer = { status: response.statusCode ?? 502, headers: response.headers }
      buffer(response).then((bytes) => resolve({ ...answer, body: bytes }), reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _encoding, connection: _connection, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': body.length }).end(body)
}

/** Sends a header with the full length of the body, sends half of the body, and closes the connection. */
function cut(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _encoding, connection: _connection, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': body.length })
  response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}

/** Adds some minor units to every amount of a JSON body. */
function withOtherAmount(answer: Answer, random: Random): Answer {
  const more = 1 + random.below(500)
  const text = answer.body
    .toString('utf8')
    .replace(
      /("amount"\s*:\s*"?)(\d+)/g,
      (_all, name: string, digits: string) => name + (Number(digits) + more),
    )
  return { ...answer, body: Buffer.from(text) }
}

function rubbish(random: Random): string {
  const texts = [
    '',
    '{',
    'null',
    '[]',
    '<html>maintenance</html>',
    '{"status":"captured"}',
    '\u0000\u0001',
    '"ok"',
  ]
  return random.pick(texts) ?? ''
}
