import { refusedRefund } from '../../../../sandbox/bank/bank.ts'
import { mountDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { sign } from '../../../../sandbox/dlocal/signature.ts'
import { evasionsOf, withFields } from '../../../../test/builders/forged-answers.ts'
import { testChannelVariant, testProtocolContract } from '../../../../test/contracts/channel-contract.ts'
import { type ChannelDriver, secretsIn } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { decideOn, openMounted } from '../../../../test/counterparties/mounted.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { formatAmount, type Money } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { Callback } from '../../contract/channel.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { Method } from '../../methods/methods.ts'
import { openStore } from '../../toolkit/records/store.ts'

const peru = { money: { amount: 320_00n, currency: 'PEN' }, personal: { customerIdentification: '41552384' } }
const brazil = {
  money: { amount: 12_50n, currency: 'BRL' },
  personal: { socialSecurityNumber: '529.982.247-25' },
}

testProtocolContract('dLocal, SPEI', () =>
  openDriver('spei', { money: { amount: 320_00n, currency: 'MXN' } }),
)
testChannelVariant('dLocal, PerTransfer', () => openDriver('per_transfer', peru))
testChannelVariant('dLocal, Vietnam', () =>
  openDriver('vn_bank', { money: { amount: 320_000n, currency: 'VND' } }),
)
testChannelVariant('dLocal, Pix', () => openDriver('pix', brazil))
testChannelVariant('dLocal, GCash', () =>
  openDriver('gcash', { money: { amount: 320_00n, currency: 'PHP' } }),
)

type Payment = { readonly money: Money; readonly personal?: Fields }

async function openDriver(method: Method, payment: Payment): Promise<ChannelDriver> {
  const { money } = payment
  const { counterparty, entry, close } = await openMounted(mountDlocal)
  const database = await cloneDatabase()
  const callbacks = await openCallbackReceiver()
  const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
  const connect = (changes: object, more: Partial<ChannelTools> = {}) =>
    connectChannel({ ...entry, ...changes }, method, toolsWith({ timeoutMs: 60_000, storeOf, ...more }))
  const within = (timeoutMs: number) => connect({}, { timeoutMs })
  const channel = within(60_000)
  callbacks.answerWith(async (callback) => {
    const handled = await channel.readCallback?.(callback)
    return handled?.answer ?? { status: 404, type: 'text/plain', body: '' }
  })
  return {
    channel,
    within,
    request: (behaviour, reference) =>
      makeRequest(
        { ...payment, method, details: { name: 'Ana Quispe' } },
        behaviour,
        reference,
        callbacks.url,
      ),
    act: (action, deed) => decideOn(action.kind === 'redirect' ? action.url : '', deed),
    takesExactAmount: true,
    refundsAreNotRepeated: true,
    push: {
      kind: 'callback',
      believes: 'asking',
      received: callbacks.received,
      forge: (callback) => signed(callback, callback.body.replace(/"amount":\d+/, '"amount":7'), entry),
    },
    refusedRefund: { amount: refusedRefund(money.currency), currency: money.currency },
    faults: {
      url: String(entry.url),
      connect: ({ url = entry.url, clock = systemClock }) => connect({ url }, { clock }),
      connectAsStranger: () => connect({ secretKey: 'expired' }),
      secrets: secretsIn(entry),
      evasions: evasionsOf([429, { code: 6000 }], [500, { code: 7000 }]),
      forge: {
        state: (answer) => withFields(answer, { status: () => 'BETWEEN_BANKS' }),
        money: (answer, { amount, currency }) =>
          withFields(answer, {
            amount: () => JSON.parse(formatAmount(amount, currency)),
            currency: () => currency,
          }),
      },
    },
    isCharged: async (reference) =>
      (counterparty.banks.get('dlocal')?.find(reference)?.deposits.length ?? 0) > 0,
    async close() {
      await callbacks.close()
      await close()
      await database.drop()
    },
  }
}

function signed(callback: Callback, body: string, entry: Fields): Callback {
  const date = new Date().toISOString()
  const keys = { login: String(entry.login), transKey: '', secretKey: String(entry.secretKey) }
  return {
    ...callback,
    body,
    headers: { ...callback.headers, 'x-date': date, authorization: sign(keys, date, body) },
  }
}
