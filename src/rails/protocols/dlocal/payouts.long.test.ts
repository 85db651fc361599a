import assert from 'node:assert/strict'
import { mountDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { testPayoutContract } from '../../../../test/contracts/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../../test/contracts/payout-driver.ts'
import { openCallbackReceiver } from '../../../../test/counterparties/callback-receiver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import type { ProxyAnswer } from '../../../../test/counterparties/faulty-proxy.ts'
import { openMounted } from '../../../../test/counterparties/mounted.ts'
import { cloneDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import type { Fields } from '../../../platform/base/object.ts'
import { openStore } from '../../toolkit/records/store.ts'

testPayoutContract('dLocal', openDriver)

const amounts: Readonly<Record<PayoutBehaviour, bigint>> = { pays: 5_000n, declines: 666n, refused: 2n }

async function openDriver(): Promise<PayoutDriver> {
  const { counterparty, entry, close } = await openMounted(mountDlocal)
  const { payouts } = counterparty
  const database = await cloneDatabase()
  const callbacks = await openCallbackReceiver()
  counterparty.notifyPayoutsAt(callbacks.url)
  const storeOf = (channel: string) => openStore({ db: database.db, clock: systemClock }, channel)
  const connect = (changes: Fields, timeoutMs: number) => {
    const { rail } = connectEntry({ ...entry, ...changes }, toolsWith({ timeoutMs, storeOf }))
    assert.ok(rail)
    return rail
  }
  return {
    url: String(entry.payoutUrl),
    connect: (payoutUrl, timeoutMs) => connect({ payoutUrl }, timeoutMs),
    connectAsStranger: (payoutUrl, timeoutMs) =>
      connect({ payoutUrl, payoutClientSecret: 'another' }, timeoutMs),
    request(behaviour, reference) {
      const details = { benFirstName: 'Eva', benLastName: 'Paz' }
      const beneficiary = { account: '032180000118359719', details }
      return { reference, kind: 'spei', money: { amount: amounts[behaviour], currency: 'MXN' }, beneficiary }
    },
    decide: async () => undefined,
    statesReturn: false,
    giveBack: async (reference) => payouts.giveBack(reference),
    countPaid: async (reference) => (payouts.find(reference)?.status === 'PAID' ? 1 : 0),
    forge: {
      amount: (answer, { amount, currency }) =>
        changed(answer, { amount: JSON.parse(formatAmount(amount, currency)), currency }),
      state: (answer) => changed(answer, { status: 'BETWEEN_BANKS' }),
      currency: (answer, currency) => changed(answer, { currency }),
    },
    isAboutPayout: (path) => path.includes('/payouts/v3'),
    received: callbacks.received,
    async close() {
      await callbacks.close()
      await close()
      await database.drop()
    },
  }
}

function changed(answer: ProxyAnswer, changes: Fields): ProxyAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...changes }) }
}
