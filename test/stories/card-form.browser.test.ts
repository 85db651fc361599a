// The card form in a real browser: what it keeps after a decline.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  asPayer,
  assertPaid,
  checkout,
  type Environment,
  fillBilling,
  fillCard,
  openEnvironment,
  payButton,
  withoutBilling,
} from '../harness/payer.ts'

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'

let env: Environment
before(async () => {
  env = await openEnvironment()
})
after(() => env.close())

it('keeps all fields after a decline except those of the card, so that another card is enough', () =>
  asPayer(env, 'phone', async (payer) => {
    const { page } = payer
    const reply = await checkout(env, withoutBilling)
    await page.goto(String(reply.data.payUrl))
    await fillCard(page, DECLINED)
    await fillBilling(page)
    await payButton(page).click()
    await page.getByText('Your payment did not go through').waitFor()
    const shown = {
      cardNo: '',
      cardExpiry: '',
      cardSecurityCode: '',
      billingFirstName: 'Test',
      billingLastName: 'Payer',
      billingEmail: 'payer@example.com',
      billingCountry: 'PE',
      billingZipCode: '15046',
    }
    for (const [name, text] of Object.entries(shown))
      assert.equal(await page.locator(`#card-${name}`).inputValue(), text, name)
    await fillCard(page, GOOD)
    await payButton(page).click()
    await assertPaid(payer, env, reply)
  }))
