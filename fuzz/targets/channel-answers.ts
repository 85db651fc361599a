// Answers of counterparties to the gateway: the sandbox's answers, changed on their way. A change depends on the
// answer. Therefore an input holds no bytes, but the random seeds of its changes, which are made one after the other.
import { STATUS_CODES } from 'node:http'
import { signAnswer } from '../../sandbox/alipay/signature.ts'
import { readOrCreateRsaKeys } from '../../sandbox/rsa-keys.ts'
import { platformHeaders } from '../../sandbox/wechat/signature.ts'
import { isObject } from '../../src/platform/base/object.ts'
import { parseJson } from '../../src/platform/http/client/http-client.ts'
import { type Random, seededRandom } from '../../test/harness/random.ts'
import { problemOf } from '../checks/answers.ts'
import { openSender } from '../http.ts'
import type { Input, Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import { mutateHead } from '../mutations/head.ts'
import { mutateJson } from '../mutations/json.ts'
import { mutateText } from '../mutations/text.ts'
import type { Relayed, Seen } from '../relay.ts'
import { pathOf, seedRequests } from '../requests.ts'
import type { World } from '../world.ts'
import { requestBytes } from './merchant-api.ts'

/** The endpoints whose requests make the gateway call a counterparty. */
const calling: readonly string[] = ['/payment', '/payout', '/refund/apply']
/** The valid requests to these endpoints. */
const triggers = seedRequests().filter((input) => calling.includes(pathOf(input)))

const statuses: readonly number[] = [200, 201, 204, 301, 400, 401, 404, 409, 429, 500, 502, 503]

export async function openChannelAnswers(world: World, orders: KnownOrders): Promise<Target> {
  const sender = openSender(world.port)
  const key = readOrCreateRsaKeys(world.sandbox.folder)().platform.privateKey
  const waiting: Input[] = []
  world.changeAnswers((seen, relayed) => {
    const input = waiting.shift()
    const seeds = (input?.seeds ?? '').split(' ').filter((seed) => seed !== '')
    const changed = seeds.reduce<Relayed | Buffer>(
      (answer, seed) => (Buffer.isBuffer(answer) ? answer : changeAnswer(answer, seededRandom(Number(seed)))),
      relayed,
    )
    return Buffer.isBuffer(changed) || seeds.length === 0 ? changed : signAgain(seen, changed)
  })

  /** Signs a changed answer as the rail's own server does. */
  function signAgain({ path }: Seen, answer: Relayed): Relayed {
    const text = answer.body.toString('utf8')
    if (path.startsWith('/wechat'))
      return { ...answer, headers: { ...answer.headers, ...platformHeaders(text, key, new Date()) } }
    if (!path.startsWith('/alipay')) return answer
    const [node, content] = Object.entries(fieldsIn(text)).find(([name]) => name !== 'sign') ?? []
    if (node === undefined || !isObject(content)) return answer
    return { ...answer, body: Buffer.from(signAnswer(node, content, key)) }
  }

  return {
    name: 'channel-answers',
    runsIn: 'gateway',
    atOnce: 8,
    batch: 256,
    seeds: triggers.map((_, at) => ({ trigger: String(at), seeds: '' })),
    mutate(input, random) {
      const seed = String(random.below(1_000_000_000))
      return { ...input, seeds: random.chance(0.5) ? seed : `${input.seeds} ${seed}`.trim() }
    },
    async run(input) {
      waiting.push(input)
      const trigger = triggers[Number(input.trigger)] ?? {}
      const answer = await sender.send(requestBytes(world, orders, trigger))
      // A request that was refused has called no counterparty.
      if (waiting.includes(input)) waiting.splice(waiting.indexOf(input), 1)
      return { accepted: answer.text.includes('"00000"'), problem: problemOf(answer), answer: answer.text }
    },
    async close() {
      world.changeAnswers(undefined)
      sender.close()
    },
  }
}

function changeAnswer(answer: Relayed, random: Random): Relayed | Buffer {
  const text = answer.body.toString('utf8')
  if (random.chance(0.1)) return { ...answer, status: random.pick(statuses) ?? 200 }
  if (random.chance(0.1)) return broken(answer, random)
  const changed = mutateJson(text, random, text) ?? mutateText(text, random)
  return { ...answer, body: Buffer.from(changed) }
}

/** An answer that is not quite HTTP, or ends too soon. */
function broken({ status, headers, body }: Relayed, random: Random): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n')
  const whole = Buffer.concat([Buffer.from(`${mutateHead(head, random, head)}\r\n\r\n`, 'latin1'), body])
  return random.chance(0.5) ? whole.subarray(0, random.below(whole.length)) : whole
}

function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}
