// Requests as bytes: changed heads, lengths and chunks, several requests at once, and requests that are cut off. Each
// input has its own connection.
import type { Random } from '../../test/harness/random.ts'
import { problemOf } from '../checks/answers.ts'
import { SHORT_SILENCE_MS, sendAlone } from '../http.ts'
import type { Input, Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import { mutateHead } from '../mutations/head.ts'
import { mutateParts } from '../mutations/mutate.ts'
import { pathOf, seedRequests } from '../requests.ts'
import type { World } from '../world.ts'
import { requestBytes } from './merchant-api.ts'

const framings: Readonly<Record<string, (head: Buffer, body: Buffer) => Buffer>> = {
  plain: (head, body) => Buffer.concat([head, body]),
  chunked: (head, body) => Buffer.concat([chunkedHead(head), ...chunks(body, 700), Buffer.from('0\r\n\r\n')]),
  'tiny chunks': (head, body) =>
    Buffer.concat([chunkedHead(head), ...chunks(body, 1), Buffer.from('0\r\n\r\n')]),
  'chunks without an end': (head, body) => Buffer.concat([chunkedHead(head), ...chunks(body, 64)]),
  'a wrong chunk': (head, body) => Buffer.concat([chunkedHead(head), Buffer.from('5;x=y\r\n'), body]),
  'three at once': (head, body) => Buffer.concat([head, body, head, body, head, body]),
  'cut off': (head, body) => Buffer.concat([head, body.subarray(0, body.length >> 1)]),
  'only half a head': (head) => head.subarray(0, head.length >> 1),
  'with a tail': (head, body) =>
    Buffer.concat([head, body, Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\nrubbish')]),
  'one byte for a character': (head, body) =>
    Buffer.concat([head, Buffer.from(body.toString('utf8'), 'latin1')]),
}

const MOST_CHUNKS = 5_000

export async function openHttp(world: World, orders: KnownOrders): Promise<Target> {
  const mutateBody = mutateParts(['body'])
  return {
    name: 'http',
    runsIn: 'gateway',
    atOnce: 48,
    batch: 512,
    seeds: oneOfEachPath().map((input) => ({ ...input, framing: 'plain' })),
    mutate(input, random, other) {
      const changed = {
        ...input,
        framing: random.chance(0.4) ? pickFraming(random) : (input.framing ?? 'plain'),
      }
      if (random.chance(0.2)) return mutateBody(changed, random, other)
      return { ...changed, head: mutateHead(input.head ?? '', random, other.head ?? '') }
    },
    async run(input) {
      const bytes = framed(requestBytes(world, orders, input), input)
      const answer = await sendAlone(world.port, bytes, isCut(input) ? SHORT_SILENCE_MS : undefined)
      return { accepted: answer.statuses.at(-1) === 200, problem: problemOf(answer), answer: answer.text }
    },
  }
}

function oneOfEachPath(): Input[] {
  return [...Map.groupBy(seedRequests(), pathOf).values()].flatMap((inputs) => inputs.slice(0, 1))
}

/** True for a request that gets no answer before the client ends the connection. */
function isCut({ framing = '' }: Input): boolean {
  return ['chunks without an end', 'a wrong chunk', 'cut off', 'only half a head'].includes(framing)
}

function pickFraming(random: Random): string {
  return random.pick(Object.keys(framings)) ?? 'plain'
}

function framed(request: Buffer, { framing = 'plain' }: Input): Buffer {
  const bodyAt = request.indexOf('\r\n\r\n') + 4
  const frame = framings[framing]
  return frame === undefined ? request : frame(request.subarray(0, bodyAt), request.subarray(bodyAt))
}

function chunkedHead(head: Buffer): Buffer {
  return Buffer.from(
    head.toString('latin1').replace(/content-length: *\d*/i, 'transfer-encoding: chunked'),
    'latin1',
  )
}

function chunks(body: Buffer, least: number): Buffer[] {
  const size = Math.max(least, Math.ceil(body.length / MOST_CHUNKS))
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) => {
    const piece = body.subarray(at * size, (at + 1) * size)
    return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
  })
}
