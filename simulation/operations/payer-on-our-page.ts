// A payer on our page chooses a method and fills in the method's fields.
import type { Page } from '../../test/harness/browser.ts'
import { attemptOn, type Next, type Payer, visit } from './browse.ts'

/** Values for the fields of all methods. A method ignores values for fields that it does not have. */
const answers: Readonly<Record<string, string>> = {
  cardExpiry: '12 / 30',
  cardSecurityCode: '123',
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingAddress1: 'Av. Arequipa 1000',
  billingCity: 'Lima',
  billingState: 'Lima',
  billingCountry: 'PE',
  billingZipCode: '15046',
  billingPhone: '+5115550100',
  billingEmail: 'payer@shop.example',
  email: 'payer@shop.example',
  userId: 'payer-7',
  name: 'Maria Souza',
  socialSecurityNumber: '529.982.247-25',
  customerIdentificationType: '00',
  customerIdentification: '45678912',
  productName: 'Lamp',
  paymentMethodStr: 'qrcode',
  vaBankId: '970436',
  coin: 'USDC',
  network: 'POLYGON',
}

/** Cards with different results: success, decline, challenge, no response, or an invalid number. */
const cards = [
  '4242424242424242',
  '5555555555554444',
  '4000000000000002',
  '4000000000009995',
  '4000000000003220',
  '4000000000000119',
  '4000000000006975',
  '4242424242424241',
]

export async function chooseMethod(payer: Payer, page: Page): Next {
  const { random } = payer.actor
  const offered = [...page.html.matchAll(/name="method" value="(\w+)"/g)].map(([, method = '']) => method)
  const method = offered.includes('card') && random.chance(0.5) ? 'card' : random.pick(offered)
  const [, action] = /action="([^"]*pay)"/.exec(page.html) ?? []
  if (method === undefined || action === undefined) return undefined
  const form = { ...answers, method, attempt: attemptOn(page), cardNo: random.pick(cards) ?? '' }
  const url = new URL(action, page.url).href
  if (!random.chance(0.08)) return visit(payer, url, form)
  // The payer double-clicks.
  const [first] = await Promise.all([visit(payer, url, form), visit(payer, url, form)])
  return first
}
