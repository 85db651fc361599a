// Checks that the bridge opens one payment for each reference, and refuses invalid requests.
import { isSameMoney } from '../../../platform/base/money.ts'
import { methods } from '../../methods/methods.ts'
import type { BankCharge } from '../../protocols/bridge/bank/charge.ts'
import { isAuthorised } from '../../protocols/bridge/check-bridge.ts'
import { type Check, hold, NotChecked } from '../check.ts'
import { chargeIn, expectOne, expectRefusal, extra, openPayment, paymentOf, shown } from '../expect.ts'
import { promises } from '../promises.ts'

const opens: Check = {
  name: 'open',
  title: 'opens a payment that waits for its payer',
  todo: 'Answer "open" with 200 and the whole payment: id, reference, status "open", amount and currency as asked, deposits []. Amounts are digits in the minor unit, as text.',
  needs: ['open', 'lookup'],
  async run(bridge) {
    const charge = await openPayment(bridge)
    expectExtra('open', charge)
    hold(charge.status === 'open', `"status" of a new payment is "${charge.status}", not "open".`)
    const isSame = charge.money !== undefined && isSameMoney(charge.money, bridge.money)
    hold(isSame, 'The payment has another amount or currency than the request.')
    hold(charge.deposits.length === 0, '"deposits" of a new payment is not empty.')
    const again = await bridge.call('lookup', { reference: charge.reference })
    const found = chargeIn(again, charge.reference)
    hold(found.id === charge.id, '"lookup" answers with another id than "open".')
    expectExtra('lookup', found)
  },
}

/** Some methods read the payer's terminal from `extra`, to which a bridge may add fields. */
function expectExtra(operation: string, charge: BankCharge): void {
  const missing = Object.entries(extra).find(([name, value]) => charge.extra[name] !== value)
  hold(
    missing === undefined,
    `"${operation}" does not return "extra" as it came: "${missing?.[0]}" was ${shown(missing?.[1])}, and is ${shown(charge.extra[missing?.[0] ?? ''])}.`,
    'Store "extra" with the payment, and return it in every answer, with additions of your own if you have some.',
  )
}

const once: Check = {
  name: 'open-once',
  title: promises.once,
  todo: 'Store the reference under a unique key before you call the rail. A repeated "open" returns the payment that exists, with its first amount, whatever the repetition says.',
  needs: ['open'],
  async run(bridge) {
    const reference = bridge.reference()
    const id = await expectOne('payment', async () => (await openPayment(bridge, reference)).id)
    const other = { amount: (bridge.money.amount + 1n).toString() }
    const again = chargeIn(await bridge.call('open', paymentOf(bridge, reference, other)), reference)
    hold(again.id === id, 'A repeated "open" with another amount made another payment.')
    hold(again.money?.amount === bridge.money.amount, 'A repeated "open" changed the amount.')
  },
}

const many: Check = {
  name: 'open-many',
  title: promises.many,
  todo: 'Serve requests at the same time, and give each payment an id of its own.',
  needs: ['open'],
  async run(bridge) {
    const opened = await Promise.all(Array.from({ length: 100 }, () => openPayment(bridge)))
    const ids = new Set(opened.map(({ id }) => id))
    hold(ids.size === opened.length, `${opened.length} payments have ${ids.size} ids.`)
  },
}

const nonsense: readonly (readonly [field: string, value: unknown])[] = [
  ['amount', '0'],
  ['amount', '-1250'],
  ['amount', '12.50'],
  ['amount', 1250],
  ['amount', undefined],
  ['currency', 'usd'],
  ['currency', 'ZZZ'],
  ['reference', 'with spaces'],
  ['reference', 'x'.repeat(65)],
]

const refused: Check = {
  name: 'open-refused',
  title: promises.refused,
  todo: 'Check every field before anything is stored or sent, and answer 400 with "error": "invalid_request". It tells the gateway for certain that nothing was opened.',
  needs: ['open', 'lookup'],
  async run(bridge) {
    for (const [field, value] of nonsense) {
      const reference = bridge.reference()
      const answer = await bridge.call('open', paymentOf(bridge, reference, { [field]: value }))
      expectRefusal(answer, 400, 'invalid_request', `"open" with "${field}": ${shown(value)}`)
      const found = await bridge.call('lookup', { reference })
      expectRefusal(found, 404, 'not_found', 'A reference that was refused')
    }
  },
}

const details: Check = {
  name: 'open-details',
  title: 'gives the payer what the method needs: a page, an account, a code',
  todo: 'Send the fields that docs/bridge-protocol.md lists for the method, such as "payerUrl" or a valid "account", and return "extra" as it came. Refuse terminals that your rail does not have with 400, and leave them out of "terminals" in the channels file.',
  needs: ['open'],
  async run(bridge) {
    const { method } = bridge
    if (method === undefined) throw new NotChecked('Name the method with --method.')
    if (isAuthorised(method)) throw new NotChecked('Cards and tokens are charged, not opened.')
    const shownAt: string[] = []
    for (const terminal of methods[method].terminals ?? (['WEB'] as const)) {
      const outcome = await bridge.start(method, terminal)
      if (outcome.kind === 'failed' && outcome.cause === 'refused') continue
      const why = outcome.kind === 'unknown' ? outcome.why : outcome.kind
      hold(outcome.kind === 'pending', `The gateway cannot show this payment at ${terminal}: ${why}.`)
      shownAt.push(terminal)
    }
    hold(shownAt.length > 0, 'The bridge refuses to open the payment.')
  },
}

export const openingChecks: readonly Check[] = [opens, once, many, refused, details]
