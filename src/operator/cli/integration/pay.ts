import { type Answer, cardPayment, GOOD_CARD, sendDemo } from '../../demo/demo-requests.ts'
import type { Call, Command, Result } from '../command.ts'
import { demoMerchant } from '../shared/demo-merchant.ts'
import { findListener } from '../shared/listener.ts'
import { columns, plain } from '../shared/print.ts'

const pay: Command = {
  name: 'pay',
  summary: 'Make a card payment at the running sandbox, as its demo merchant',
  options: {
    card: { value: GOOD_CARD, help: `the card number (default: ${GOOD_CARD}, which succeeds)` },
    amount: { value: '10.00', help: 'the amount (default: 10.00)' },
    currency: { value: 'USD', help: 'the currency (default: USD)' },
    'order-no': { value: 'NO', help: "the merchant's order number (default: a new one)" },
    'notify-url': {
      value: 'URL',
      help: 'where to send the notifications (default: to a running "tollgate listen", or none)',
    },
    url: { value: 'URL', help: "the gateway's address (default: baseUrl in demo.json)" },
  },
  run: payAsDemo,
}

async function payAsDemo({ given, tools }: Call): Promise<Result> {
  const demo = await demoMerchant(tools)
  const url = given.text('url') ?? demo.baseUrl
  const listener =
    given.text('notify-url') === undefined ? await findListener(tools.config(), demo, url) : undefined
  const wanted = {
    card: given.text('card'),
    amount: given.text('amount'),
    currency: given.text('currency'),
    merOrderNo: given.text('order-no'),
    notifyUrl: given.text('notify-url') ?? listener,
  }
  const body = cardPayment(demo, wanted, tools.clock.now())
  const answer = await sendDemo(url, '/payment', body, demo.site)
  const notified = listener === undefined ? '' : '\nIts notifications go to your "tollgate listen".'
  return { json: answer, text: `${inWords(answer)}${notified}`, status: answer.code === '00000' ? 0 : 1 }
}

const outcomes: Readonly<Record<string, string>> = { '0': 'paid', '1': 'declined', '2': 'pending' }

function inWords({ code, message, data }: Answer): string {
  if (data === undefined) return plain(`Refused: ${code} ${message}`)
  // The response has the order number in two spellings. Only `merOrderNo` is printed.
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
