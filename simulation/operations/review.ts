// Reviews of SEPA payments: the merchant uploads files and sends information, and the operator decides.
import { setTimeout as sleep } from 'node:timers/promises'
import { signed } from '../../test/harness/client.ts'
import { callGateway, uploadToGateway } from '../call-gateway.ts'
import type { Actor, Operation } from '../operation.ts'
import { outcomeOf, type Shop } from '../witness.ts'
import { command } from './command.ts'
import { pickPayment } from './pick-order.ts'

const INFORMATION_ASKED = 24
const IN_REVIEW = 25
const PROCESSING = 1
/** The operation whose payments are reviewed. */
const REVIEWED = 'pay by SEPA'

export const submitReview: Operation = {
  name: 'send information for a review',
  weight: 8,
  async run(actor) {
    const { world, shop } = actor
    const listed = await pickPayment(actor, { states: [INFORMATION_ASKED], by: REVIEWED })
    if (listed === undefined) return
    const { number, tradeNo } = listed.order
    const fileId = await upload(actor, shop)
    const files = fileId === undefined ? [] : [{ type: 'payerIdentityDocument', fileId }]
    const info = { payerName: 'Example Payer', businessModel: 'Scarves' }
    const body = { merNo: shop.merNo, tradeNo, version: 'V3.0.0', info, files }
    const answer = await callGateway(shop, '/review/submit', body)
    world.history.add(`/review/submit ${answer.kind}`, number, answer)
    world.witness.count(this.name, outcomeOf(answer))
  },
}

const pdf = Buffer.from('%PDF-1.7 a statement of account')

async function upload({ world }: Actor, shop: Shop): Promise<string | undefined> {
  const type = '.pdf'
  const form = new FormData()
  form.append('merNo', String(shop.merNo))
  form.append('type', type)
  form.append('file', new Blob([new Uint8Array(pdf)]), `statement${type}`)
  form.append('sign', String(signed(shop, '/file/upload', { merNo: shop.merNo, type }).sign))
  const answer = await uploadToGateway(shop, '/file/upload', form)
  world.witness.count('upload a file', outcomeOf(answer))
  if (answer.kind === 'lost' || typeof answer.data.fileId !== 'string') return undefined
  return answer.data.fileId
}

type Decision = readonly [name: string, ...note: string[]]

const approve: Decision = ['approve']
const reject: Decision = ['reject', '--note', 'No such shipment']
const ask: Decision = ['ask', '--note', 'Whose account is it?']
const decisions = [approve, approve, reject, ask]

export const decideReview: Operation = {
  name: 'decide a review',
  weight: 10,
  async run(actor) {
    const listed = await pickPayment(actor, { states: [INFORMATION_ASKED, IN_REVIEW], by: REVIEWED })
    if (listed?.order.tradeNo === undefined) return
    const { number, tradeNo } = listed.order
    const decide = ([decision, ...note]: Decision) =>
      command(actor, this.name, number, 'review', decision, tradeNo, ...note)
    if (!actor.random.chance(0.4)) return void (await decide(actor.random.pick(decisions) ?? approve))
    // An operator rejects, and then approves while the money is already being returned.
    await decide(reject)
    await untilReturned(actor, tradeNo)
    await decide(approve)
  },
}

const LOOK_MS = 50
const LOOKS = 60

/** Waits, for a few seconds at most, until the channel is being called to return the money of the rejected payment. */
async function untilReturned({ world: { db } }: Actor, tradeNo: string): Promise<void> {
  const text = `select trade_no from reviews where trade_no = $1 and state = 'returning' and asks > 0`
  for (let look = 0; look < LOOKS; look += 1) {
    const called = await db.query({ text, values: [tradeNo] }).catch(() => [])
    if (called.length > 0) return
    await sleep(LOOK_MS)
  }
}

export const pickForReview: Operation = {
  name: 'pick a payment for review',
  weight: 1,
  async run(actor) {
    const listed = await pickPayment(actor, { states: [PROCESSING], by: REVIEWED })
    if (listed?.order.tradeNo === undefined) return
    await command(actor, this.name, listed.order.number, 'review', 'pick', listed.order.tradeNo)
  },
}
