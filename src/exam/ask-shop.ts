// Asks the shop for its view of an order. The address is optional: with it, the exam sees what a notification changed, and
// not only that it was acknowledged.
import { isObject } from '../base/object.ts'
import { parseJson } from '../http/client/http-client.ts'
import type { Sender } from '../notifications/send.ts'
import { type Expected, type ShopState, shopStates } from './exercise.ts'
import { type Signing, sealed } from './message.ts'
import type { ExamOrder } from './orders.ts'

export type ShopAddress = { readonly url: URL; readonly sender: Sender; readonly signing: Signing }

type View = { readonly state: ShopState; readonly credits: number | undefined }

/** Why the shop's view is wrong; undefined if it is right. */
export async function whyWrongView(
  shop: ShopAddress,
  order: ExamOrder,
  expected: Expected,
  at: Date,
): Promise<string | undefined> {
  const view = await askShop(shop, order, at)
  if (typeof view === 'string') return view
  const { state, credits } = view
  const { merOrderNo } = order
  if (state !== expected.state)
    return `Your shop says that order ${merOrderNo} is ${state}; it should be ${expected.state}.`
  if (credits === undefined || expected.credits === undefined || credits === expected.credits)
    return undefined
  return `Your shop has credited order ${merOrderNo} ${times(credits)}; it should be ${times(expected.credits)}.`
}

/** The shop's view, or what is wrong with its answer. */
async function askShop({ url, sender, signing }: ShopAddress, order: ExamOrder, at: Date) {
  const { merOrderNo, tradeNo } = order
  const body = new URLSearchParams({ merOrderNo, tradeNo }).toString()
  const asked = sealed({ notificationId: `state-${tradeNo}`, event: 'payment' }, body, signing, at)
  const { status, answer, error } = await sender.send({ url, headers: asked.headers, body })
  if (error !== undefined) return `The state address gave no answer: ${error}.`
  if (status !== 200) return `The state address answered ${status}; it should be 200.`
  return (
    readView(parseJson(answer)) ?? `The state address did not answer {"state": "${shopStates.join('|')}"}.`
  )
}

function readView(answer: unknown): View | undefined {
  if (!isObject(answer)) return undefined
  const state = shopStates.find((one) => one === answer.state)
  const { credits } = answer
  if (state === undefined) return undefined
  return { state, credits: typeof credits === 'number' ? credits : undefined }
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 0 ? 'not at all' : `${count} times`
}
