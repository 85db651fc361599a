import { randomBytes } from 'node:crypto'
import { md5 } from '../base/secret.ts'
import type { Demo } from '../demo/demo-file.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import { md5StringToSign } from '../merchant-api/checks/signature.ts'
import { endpoints } from '../merchant-api/endpoints.ts'
import type { Call, Command, Given, Result } from './command.ts'
import { demoMerchant } from './demo-merchant.ts'
import { columns, plain } from './print.ts'

const TIMEOUT_MS = 60_000
const GOOD_CARD = '4242424242424242'

const pay: Command = {
  name: 'pay',
  summary: 'Make a card payment at the running sandbox, as its demo merchant',
  options: {
    card: { value: GOOD_CARD, help: `the card number (default: ${GOOD_CARD}, which succeeds)` },
    amount: { value: '10.00', help: 'the amount (default: 10.00)' },
    currency: { value: 'USD', help: 'the currency (default: USD)' },
    'order-no': { value: 'NO', help: "the merchant's order number (default: a new one)" },
    'notify-url': { value: 'URL', help: 'where to send the notification (default: none is sent)' },
    url: { value: 'URL', help: "the gateway's address (default: baseUrl in demo.json)" },
  },
  run: payAsDemo,
}

async function payAsDemo({ given, tools }: Call): Promise<Result> {
  const demo = await demoMerchant(tools)
  const body = signed(paymentBody(demo, given, tools.clock.now()), demo.key)
  const answer = await post(given.text('url') ?? demo.baseUrl, body, demo.site)
  return { json: answer, text: inWords(answer), status: answer.code === '00000' ? 0 : 1 }
}

function signed(body: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  return { ...body, sign: md5(md5StringToSign(endpoints['/payment'].signed, body) + key) }
}

function paymentBody(demo: Demo, given: Given, now: Date): Record<string, unknown> {
  const amount = given.text('amount') ?? '10.00'
  return {
    merNo: demo.merNo,
    merOrderNo: given.text('order-no') ?? `CLI-${now.getTime()}-${randomBytes(4).toString('hex')}`,
    currencyCode: given.text('currency') ?? 'USD',
    sourceAmount: amount,
    returnUrl: `http://${demo.site}/thanks`,
    notifyUrl: given.text('notify-url') ?? '',
    cardNo: given.text('card') ?? GOOD_CARD,
    cardExpireMonth: '12',
    cardExpireYear: String(now.getUTCFullYear() + 2),
    cardSecurityCode: '123',
    ...person('billing'),
    ...person('shipping'),
    userAgent: 'tollgate pay',
    ipAddress: '127.0.0.1',
    productInfoList: [{ sku: 'DEMO-1', productName: 'Demo item', price: amount, quantity: '1' }],
    version: 'V3.0.0',
  }
}

function person(who: 'billing' | 'shipping'): Record<string, string> {
  const fields = {
    FirstName: 'Demo',
    LastName: 'Payer',
    Address1: '1 Example Street',
    City: 'Austin',
    State: 'TX',
    Country: 'US',
    ZipCode: '78701',
    Phone: '15125550100',
    Email: 'payer@example.com',
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${who}${name}`, value]))
}

type Answer = { readonly code?: unknown; readonly message?: unknown; readonly data?: Answered }
type Answered = { readonly tradeNo?: unknown; readonly payCode?: unknown; readonly payUrl?: unknown }

async function post(baseUrl: string, body: Record<string, unknown>, site: string): Promise<Answer> {
  const response = await fetch(`${baseUrl}/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `http://${site}/` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
    throw new OperatorRefusal(
      `no gateway answers at ${baseUrl}${cause}: start it with "npm start", or give --url`,
    )
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (typeof answer === 'object' && answer !== null) return answer
  throw new OperatorRefusal(`the server at ${baseUrl} is not a gateway (HTTP ${response.status})`)
}

const outcomes: Readonly<Record<string, string>> = { '0': 'paid', '1': 'declined', '2': 'pending' }

function inWords({ code, message, data }: Answer): string {
  if (data === undefined) return plain(`Refused: ${code} ${message}`)
  // The response carries the order number in both spellings of the interface; print it once.
  const { merorderNo: _, ...shown } = { merorderNo: undefined, ...data }
  const known = Object.entries(shown).map(([name, value]) => [`  ${name}`, plain(String(value))])
  const next = data.payUrl === undefined ? [] : ['The payer continues at the payUrl: open it in a browser.']
  return [
    `The payment is ${outcomes[String(data.payCode)] ?? `in an unknown state (payCode ${data.payCode})`}.`,
    columns(known),
    ...next,
    `See what happened: npm run --silent tollgate -- explain ${plain(String(data.tradeNo))}`,
  ].join('\n')
}

export const payCommands: readonly Command[] = [pay]
