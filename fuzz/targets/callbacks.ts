// What counterparties report: each rail's own messages, caught on their way from the sandbox, changed and signed again.
import { attemptReference } from '../../src/orders/order.ts'
import { eventually } from '../../test/eventually.ts'
import { problemOf } from '../checks/answers.ts'
import { openSender } from '../http.ts'
import type { Input, Target } from '../input.ts'
import { mutateParts } from '../mutations/mutate.ts'
import { decide, startPayment } from '../prepare-orders.ts'
import type { Seen } from '../relay.ts'
import { methodFields } from '../requests.ts'
import { callbackSigners, type Signed, type Signer } from '../sign-callback.ts'
import { fill } from '../template.ts'
import type { World } from '../world.ts'

/** Attempts of each channel that no payer ever decides, for reports that come out of nowhere. */
const UNDECIDED = 3

/** References by channel: those that were reported first, then the undecided. */
type References = ReadonlyMap<string, readonly string[]>

export async function openCallbacks(world: World): Promise<Target> {
  const signerOf = await callbackSigners(world)
  const { seen, references } = await catchCallbacks(world)
  const sender = openSender(world.port)
  const seeds = seen.map((callback) => toInput(callback, signerOf(channelOf(callback.path)), references))
  const mutateBody = mutateParts(['body'])
  return {
    name: 'callbacks',
    runsIn: 'gateway',
    atOnce: 16,
    batch: 256,
    seeds,
    mutate(input, random, other) {
      if (random.chance(0.05)) return { ...input, path: other.path ?? '' }
      if (random.chance(0.3)) return { ...input, reference: String(random.below(UNDECIDED + 2)) }
      return mutateBody(input, random, other)
    },
    async run({ path = '', body = '', reference = '0' }) {
      const channel = channelOf(path)
      const known = references.get(channel) ?? []
      const content = fill(body, (name) => (name === 'reference' ? known[Number(reference)] : undefined))
      const answer = await sender.send(bytesOf(path, signerOf(channel).sign(path, content)))
      return {
        accepted: [200, 204].includes(answer.statuses[0] ?? 0),
        problem: problemOf(answer),
        answer: answer.text,
      }
    },
    close: async () => sender.close(),
  }
}

function bytesOf(path: string, { headers, body }: Signed): Buffer {
  const content = Buffer.from(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', ...lines, `content-length: ${content.length}`]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content])
}

function toInput({ path, ...rest }: Seen, signer: Signer, references: References): Input {
  const known = references.get(channelOf(path)) ?? []
  const content = signer.open({ path, ...rest })
  const reference = known.findIndex((one) => content.includes(one))
  return {
    path,
    body: content.replaceAll(known[reference] ?? '\0', '{{reference}}'),
    reference: String(reference),
  }
}

function channelOf(path: string): string {
  return path.split('/')[2] ?? ''
}

async function catchCallbacks(world: World): Promise<{ seen: readonly Seen[]; references: References }> {
  const references = new Map<string, string[]>()
  // A mini program has no page on which a payer could decide.
  const ways = methodFields.filter(([, { terminal }]) => terminal !== 'MINI_APP')
  const start = ([type, fields]: (typeof ways)[number]) =>
    startPayment(world, type, { currencyCode: 'USD', sourceAmount: '12.34', ...fields })
  await Promise.all(
    ways.map(async (way) => {
      for (const decision of ['approve', 'decline'] as const) {
        const tradeNo = await start(way)
        await decide(world, tradeNo, decision)
        await note(world, references, tradeNo)
      }
      for (let at = 0; at < UNDECIDED; at++) await note(world, references, await start(way))
    }),
  )
  const isReported = (channel: string) => world.callbacks.some(({ path }) => channelOf(path) === channel)
  if (!(await eventually(() => [...references.keys()].every(isReported))))
    throw new Error('not every channel has sent a callback')
  return { seen: [...world.callbacks], references }
}

async function note({ db }: World, references: Map<string, string[]>, tradeNo: string): Promise<void> {
  const [row] = await db.query<{ channel: string }>({
    text: 'select channel from attempts where trade_no = $1',
    values: [tradeNo],
  })
  const channel = row?.channel ?? ''
  references.set(channel, [...(references.get(channel) ?? []), attemptReference(tradeNo, 1)])
}
