import assert from 'node:assert/strict'
import { REFUSED } from '../../../../sandbox/adyen/checkout.ts'
import { hmacOf } from '../../../../sandbox/adyen/signature.ts'
import { REFUSED_TRANSFER, TRANSFERS_PATH } from '../../../../sandbox/adyen/transfers.ts'
import { testPayoutContract } from '../../../../test/contracts/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../../test/contracts/payout-driver.ts'
import { openAdyenWorld } from '../../../../test/counterparties/adyen.ts'
import type { ProxyAnswer } from '../../../../test/counterparties/faulty-proxy.ts'
import { toAmount } from './wire.ts'

const amounts: Readonly<Record<PayoutBehaviour, bigint>> = {
  pays: 25_00n,
  declines: BigInt(REFUSED_TRANSFER),
  refused: BigInt(REFUSED),
}

testPayoutContract('Adyen, transfers to bank accounts', () => openDriver('bank_account'))
testPayoutContract('Adyen, transfers to cards', () => openDriver('card'))

const cardNumber = '4111111111111111'
const cardExpiry = { month: '03', year: '2030' }

async function openDriver(kind: 'bank_account' | 'card'): Promise<PayoutDriver> {
  const world = await openAdyenWorld()
  const { transfers } = world.adyen
  const connect = (url: string, timeoutMs: number, changes = {}) => {
    const settings = {
      ...world.settings('card'),
      transfersUrl: `${url}${TRANSFERS_PATH}`,
      payoutKinds: [kind],
    }
    return world.connect({ ...settings, ...changes }, timeoutMs).rail ?? assert.fail()
  }
  const stored =
    kind === 'card' ? await connect(world.url, 60_000).tokenise(cardNumber, cardExpiry) : undefined
  const account = stored?.kind === 'token' ? stored.token : 'DE89370400440532013000'
  return {
    url: world.url,
    connect: (url, timeoutMs) => connect(url, timeoutMs),
    connectAsStranger: (url, timeoutMs) => connect(url, timeoutMs, { transfersKey: 'expired' }),
    request: (behaviour, reference) => ({
      reference,
      kind,
      money: { amount: amounts[behaviour], currency: 'EUR' },
      beneficiary: { account, details: { benFirstName: 'Ada', benLastName: 'Byron' } },
    }),
    decide: world.delivered,
    statesReturn: true,
    async giveBack(reference) {
      transfers.giveBack(reference)
      await world.delivered()
    },
    async giveBackPart(reference, amount) {
      transfers.giveBack(reference, Number.parseInt(`${amount}`, 10))
      await world.delivered()
    },
    countPaid: async (reference) => transfers.countPaid(reference),
    forge: {
      amount: (answer, money) => changed(answer, { amount: toAmount(money) }),
      state: (answer) => changed(answer, { status: 'a new state' }),
      currency: (answer, currency) => changed(answer, { amount: { value: 2500, currency } }),
    },
    received: world.receiver.received,
    forgeCallback(callback, currency) {
      const message = JSON.parse(callback.body)
      const amount = { ...message.data.amount, currency }
      const body = JSON.stringify({ ...message, data: { ...message.data, amount } })
      return { ...callback, body, headers: { hmacsignature: hmacOf(body, world.adyen.hmacKey) } }
    },
    ...(kind === 'card' && { cardNumber, cardExpiry }),
    close: world.close,
  }
}

/** Changes the fields of the transfer in the response, or of each transfer in a list. */
function changed(answer: ProxyAnswer, fields: object): ProxyAnswer {
  const body = JSON.parse(answer.body)
  const list = Array.isArray(body.data)
    ? { data: body.data.map((one: object) => ({ ...one, ...fields })) }
    : { ...body, ...fields }
  return { ...answer, body: JSON.stringify(list) }
}
