// A merchant makes payment links. Two payers open each link at once, even a link for a single use.
import type { Actor, Operation } from '../operation.ts'
import { PATIENCE_MS, send, visit } from './browse.ts'
import { officeCall, someOf } from './office-call.ts'
import { notifyUrlOf } from './order-body.ts'
import { payOnPages } from './payer.ts'

const NAME = 'pay by a link'

export const payByLink: Operation = {
  name: NAME,
  weight: 10,
  async run(actor) {
    const { world, shop, random } = actor
    const [person] = someOf(world.office.ownersOf(shop), actor)
    if (person === undefined) return
    const body = {
      title: 'A lamp',
      currency: random.pick(['USD', 'EUR', 'JPY']) ?? 'USD',
      amount: `${10 + random.below(90)}`,
      uses: random.chance(0.8) ? 'one' : 'many',
      language: 'en',
      reference: '',
      notifyUrl: notifyUrlOf(actor, 'payment'),
    } as const
    const made = await officeCall(actor, NAME, 'a link', person, 'POST /links', { body })
    if (made.kind !== 'done') return
    const { linkId, url } = made.reply
    await Promise.all(Array.from({ length: 2 }, () => follow(actor, linkId, url)))
  },
}

async function follow(actor: Actor, about: string, url: string): Promise<void> {
  const payer = { actor, about, payUrl: url, until: Date.now() + PATIENCE_MS }
  const page = await visit(payer, url)
  const next = page && page.status < 400 ? await send(payer, page) : undefined
  if (next?.url.includes('/pay/')) await payOnPages(actor, about, next.url)
}
