import { setTimeout as sleep } from 'node:timers/promises'
import { type Explanation, explainOrder } from '../../../money/order-queries/explain-order.ts'
import { OperatorRefusal } from '../../../platform/errors/catalogue.ts'
import type { Demo } from '../../demo/demo-file.ts'
import { type Answer, cardPayment, demoOrder, demoRefund, sendDemo } from '../../demo/demo-requests.ts'
import { type Call, type Command, type Result, type Tools, UsageError } from '../command.ts'
import { nearestTo } from '../parse.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { findListener } from '../shared/listener.ts'
import { columns, plain } from '../shared/print.ts'
import { simulate } from '../shared/sandbox.ts'
import { type Ordered, type SandboxEvent, type Stage, sandboxEvents } from './sandbox-events.ts'

const WAIT_MS = 180_000
const LOOK_EVERY_MS = 200
const CALL_MS = 60_000

const trigger: Command = {
  name: 'trigger',
  argument: '[EVENT]',
  summary: 'Make an event in the running sandbox, as its demo merchant; without EVENT, list the events',
  options: {
    'order-no': { value: 'NO', help: "the merchant's order number (default: a new one)" },
    'notify-url': {
      value: 'URL',
      help: 'where to send the notifications (default: to a running "tollgate listen", or none)',
    },
    url: { value: 'URL', help: "the gateway's address (default: baseUrl in demo.json)" },
  },
  run: (call) => (call.argument === '' ? listEvents() : triggerEvent(call)),
}

async function listEvents(): Promise<Result> {
  const rows = sandboxEvents.map(({ name, summary }) => [`  ${name}`, summary])
  const events = sandboxEvents.map(({ name, summary }) => ({ event: name, summary }))
  const text = `Events, each with its notification and the notification's code or state:\n${columns(rows)}`
  return { json: { events }, text }
}

async function triggerEvent({ argument, given, tools }: Call): Promise<Result> {
  const event = findEvent(argument)
  if (tools.config().mode !== 'sandbox')
    throw new OperatorRefusal('trigger works only in sandbox: it makes orders, and plays payers and banks')
  const demo = await demoMerchant(tools)
  // The database is opened before the order is made. A wrong setting of the database must not leave an order behind.
  await tools.database()
  const url = given.text('url') ?? demo.baseUrl
  const typed = given.text('notify-url')
  const listener = typed === undefined ? await findListener(tools.config(), demo, url) : undefined
  const base = { merOrderNo: given.text('order-no'), notifyUrl: typed ?? listener }
  const found = await event.happen(openStage(tools, demo, url, base))
  const { tradeNo, merOrderNo, state, message } = found
  return {
    json: { event: event.name, tradeNo, merOrderNo, state, message },
    text: [
      `Done: ${event.summary}.`,
      columns(Object.entries({ tradeNo, merOrderNo, state, message }).map(toRow)),
      ...(listener === undefined ? [] : ['Its notifications go to your "tollgate listen".']),
      `See what happened: npm run --silent tollgate -- explain ${tradeNo}`,
    ].join('\n'),
  }
}

function toRow([name, value]: [string, string | number]): string[] {
  return [`  ${name}`, plain(String(value))]
}

function findEvent(name: string): SandboxEvent {
  const event = sandboxEvents.find((one) => one.name === name)
  if (event !== undefined) return event
  const names = sandboxEvents.map((one) => one.name)
  const advice = nearestTo(name, names) ?? `Events: ${names.join(', ')}.`
  throw new UsageError(`There is no event "${name}". ${advice}`, 'none')
}

type Base = { readonly merOrderNo: string | undefined; readonly notifyUrl: string | undefined }

function openStage(tools: Tools, demo: Demo, url: string, base: Base): Stage {
  const now = () => tools.clock.now()
  const payer = { userId: 'demo-payer', email: 'payer@example.com' }
  return {
    async payByCard(wanted) {
      const body = cardPayment(demo, { ...base, ...wanted }, now())
      return orderedBy(await sendDemo(url, '/payment', body, demo.site))
    },
    async payBy(paymentType, wanted) {
      const body = demoOrder('/payment', demo, { ...base, ...wanted }, payer, now())
      return orderedBy(await sendDemo(url, '/payment', body, demo.site, paymentType))
    },
    async payOut(wanted, fields) {
      const body = demoOrder('/payout', demo, { ...base, ...wanted }, fields, now())
      return orderedBy(await sendDemo(url, '/payout', body, demo.site))
    },
    async refund({ tradeNo, merOrderNo }, amount) {
      const body = demoRefund(demo, { tradeNo, merOrderNo, amount, notifyUrl: base.notifyUrl ?? '' })
      dataOf(await sendDemo(url, '/refund/apply', body, demo.site))
    },
    async cancel({ payUrl }) {
      const page = `${url}${payUrl.slice(payUrl.indexOf('/pay/'))}`
      const signal = AbortSignal.timeout(CALL_MS)
      const response = await fetch(`${page}/cancel`, { method: 'POST', signal }).catch(() => undefined)
      if (response?.ok !== true)
        throw new OperatorRefusal(`the payer's page cannot be cancelled (${response?.status ?? 'no answer'})`)
    },
    simulate: (channel, wanted) => simulate(tools.config(), channel, wanted),
    until: (order, isThere) => until(tools, order, isThere),
    say: tools.say,
  }
}

function orderedBy(answer: Answer): Ordered {
  const { tradeNo, merOrderNo, payUrl = '' } = dataOf(answer)
  return { tradeNo: String(tradeNo), merOrderNo: String(merOrderNo), payUrl: String(payUrl) }
}

function dataOf({ code, message, data }: Answer): NonNullable<Answer['data']> {
  if (code === '00000' && data !== undefined) return data
  throw new OperatorRefusal(plain(`the gateway refused the request: ${code} ${message}`))
}

async function until(
  tools: Tools,
  { tradeNo }: Ordered,
  isThere: (order: Explanation) => boolean,
): Promise<Explanation> {
  const db = await tools.database()
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    const found = await explainOrder(db, tradeNo)
    if (found === undefined)
      throw new OperatorRefusal(
        `this command's database does not have the order ${tradeNo}: give the command the gateway's settings`,
      )
    if (isThere(found)) return found
    if (performance.now() > deadline)
      throw new OperatorRefusal(
        `nothing happened to ${tradeNo} in three minutes: see "tollgate explain ${tradeNo}" and the gateway's log`,
      )
    await sleep(LOOK_EVERY_MS)
  }
}

export const triggerCommands: readonly Command[] = [trigger]
