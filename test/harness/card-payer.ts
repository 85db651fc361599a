// A payer on the gateway's page, without a browser's scripts.
import assert from 'node:assert/strict'
import { formOn, linkOn, openPage, type Page } from './browser.ts'

const person = {
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingAddress1: 'Av. Arequipa 1000',
  billingCity: 'Lima',
  billingState: 'Lima',
  billingCountry: 'PE',
  billingZipCode: '15046',
  billingPhone: '+5115550100',
  billingEmail: 'payer@shop.example',
}

export const GOOD_CARD = '4242424242424242'
export const DECLINED_CARD = '4000000000000002'

/** Pays by card, and returns the page after the form: the result, or the form again. */
export async function payByCard(payUrl: string, cardNo = GOOD_CARD): Promise<Page> {
  const page = await openPage(payUrl)
  const { fields } = formOn(page)
  const [, action = ''] = /action="([^"]*pay)"/.exec(page.html) ?? []
  const card = { method: 'card', cardNo, cardExpiry: '12 / 30', cardSecurityCode: '123' }
  const [, attempt = '0'] = /name="attempt" value="(\d+)"/.exec(page.html) ?? []
  const entered = { ...fields, ...person, ...card, attempt }
  return openPage(new URL(action, page.url).href, entered)
}

/** Returns the address to which the result page sends the payer back, with the gateway's signed fields. */
export function wayBack(page: Page): string {
  const { href } = linkOn(page)
  assert.match(href, /[?&]payCode=0&/)
  return href
}
