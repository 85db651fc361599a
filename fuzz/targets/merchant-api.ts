// Requests of merchants: fields are changed, and the signature is made afterwards.
import { problemOf } from '../checks/answers.ts'
import { openSender } from '../http.ts'
import type { Input, Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import { mutateParts } from '../mutations/mutate.ts'
import { disputed, pathOf, seedRequests } from '../requests.ts'
import { signatureOf } from '../sign-request.ts'
import { fill } from '../template.ts'
import type { World } from '../world.ts'

export async function openMerchantApi(world: World, orders: KnownOrders): Promise<Target> {
  const sender = openSender(world.port)
  return {
    name: 'merchant-api',
    runsIn: 'gateway',
    atOnce: 16,
    batch: 512,
    seeds: seedRequests(),
    mutate: mutateParts(['body']),
    async run(input) {
      const answer = await sender.send(requestBytes(world, orders, input))
      const envelope = parse(answer.text)
      if (!input.body?.includes(disputed)) orders.learn(pathOf(input), envelope)
      const accepted = answer.statuses[0] === 200 && (envelope === undefined || envelope.code === '00000')
      return { accepted, problem: problemOf(answer), answer: answer.text }
    },
    close: async () => sender.close(),
  }
}

/** Returns the bytes of a request: its marks are filled in, and it has a signature and its length. */
export function requestBytes({ account }: World, orders: KnownOrders, input: Input): Buffer {
  const marks = orders.marks()
  const path = pathOf(input)
  const unsigned = fill(input.body ?? '', (name) => (name === 'sign' ? undefined : marks(name)))
  const sign = signatureOf(account, path, unsigned)
  const body = Buffer.from(unsigned.replaceAll('{{sign}}', sign))
  const head = fill(input.head ?? '', (name) => (name === 'length' ? String(body.length) : marks(name)))
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
}

type Envelope = { readonly code?: unknown; readonly data?: unknown }

/** Returns undefined for an answer that is a page. */
function parse(text: string): Envelope | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
