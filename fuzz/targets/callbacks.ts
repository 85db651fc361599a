// Callbacks of counterparties: each rail's own messages, recorded on their way from the sandbox, changed and signed
// again.
import { attemptReference } from '../../src/money/orders/order.ts'
import { eventually } from '../../test/harness/eventually.ts'
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

/** The number of attempts, for each way to pay, that no payer decides. Callbacks about them are unexpected. */
const UNDECIDED = 2
/** Callbacks decide these attempts, so after this many inputs new ones are started. */
const RENEWED_EVERY = 500
const NOT_KNOWN = '-1'

/** References by channel: approved and declined attempts first, then the undecided ones, the oldest first. */
type References = Map<string, string[]>

type Way = (typeof methodFields)[number]

/** A mini program has no page on which a payer could decide. */
const ways: readonly Way[] = methodFields.filter(([, { terminal }]) => terminal !== 'MINI_APP')

export async function openCallbacks(world: World): Promise<Target> {
  const signerOf = await callbackSigners(world)
  const { seen, references } = await catchCallbacks(world)
  const sender = openSender(world.port)
  const all = seen.map((callback) => toInput(callback, signerOf(channelOf(callback.path)), references))
  // Callbacks about other targets' orders are recorded too, but no other gateway would know these orders.
  const seeds = all.filter(({ reference }) => reference !== NOT_KNOWN)
  let count = 0
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
      if (++count % RENEWED_EVERY === 0) await addUndecided(world, references)
      const content = fill(body, (name) => (name === 'reference' ? known.at(indexOf(reference)) : undefined))
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

/** The first two references keep their places. The others are counted from the end, so that the newest are used. */
function indexOf(reference: string): number {
  const at = Number(reference)
  return at < 2 ? at : 1 - at
}

async function catchCallbacks(world: World): Promise<{ seen: readonly Seen[]; references: References }> {
  const references: References = new Map()
  await Promise.all(
    ways.map(async (way) => {
      for (const decision of ['approve', 'decline'] as const) {
        const tradeNo = await start(world, way)
        await decide(world, tradeNo, decision)
        await note(world, references, tradeNo)
      }
    }),
  )
  for (let at = 0; at < UNDECIDED; at++) await addUndecided(world, references)
  const isReported = (channel: string) => world.callbacks.some(({ path }) => channelOf(path) === channel)
  if (!(await eventually(() => [...references.keys()].every(isReported))))
    throw new Error('not every channel has sent a callback')
  return { seen: [...world.callbacks], references }
}

async function addUndecided(world: World, references: References): Promise<void> {
  await Promise.all(ways.map(async (way) => note(world, references, await start(world, way))))
}

function start(world: World, [type, fields]: Way): Promise<string> {
  return startPayment(world, type, { currencyCode: 'USD', sourceAmount: '12.34', ...fields })
}

async function note({ db }: World, references: References, tradeNo: string): Promise<void> {
  const [row] = await db.query<{ channel: string }>({
    text: 'select channel from attempts where trade_no = $1',
    values: [tradeNo],
  })
  const channel = row?.channel ?? ''
  references.set(channel, [...(references.get(channel) ?? []), attemptReference(tradeNo, 1)])
}
