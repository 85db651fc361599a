import assert from 'node:assert/strict'
import { mountPix } from '../../../../../sandbox/pix/mount.ts'
import { testPayoutContract } from '../../../../../test/contracts/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../../../test/contracts/payout-driver.ts'
import { openCallbackReceiver } from '../../../../../test/counterparties/callback-receiver.ts'
import { connectEntry, toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import type { ProxyAnswer } from '../../../../../test/counterparties/faulty-proxy.ts'
import { openMounted } from '../../../../../test/counterparties/mounted.ts'
import { cloneDatabase } from '../../../../../test/harness/harness.ts'
import { systemClock } from '../../../../platform/base/clock.ts'
import { formatAmount } from '../../../../platform/base/money.ts'
import type { Fields } from '../../../../platform/base/object.ts'
import { openStore } from '../../../toolkit/records/store.ts'

const amounts: Readonly<Record<PayoutBehaviour, bigint>> = { pays: 1_000n, declines: 666n, refused: 2n }

testPayoutContract("outgoing Pix, Efí's form", () => openDriver('efi'))
testPayoutContract("outgoing Pix, Inter's form", () => openDriver('inter'))

async function openDriver(outgoing: 'efi' | 'inter'): Promise<PayoutDriver> {
  const { counterparty, entry, url, close } = await openMounted(mountPix)
  const database = await cloneDatabase()
  const receiver = await openCallbackReceiver()
  const tools = {
    storeOf: (channel: string) => openStore({ db: database.db, clock: systemClock }, channel),
    callbackUrlOf: () => receiver.url,
  }
  const connectWith = (changes: Fields) => (address: string, timeoutMs: number) => {
    const at = { url: `${address}/pix/v2`, methods: ['payout_pix'], protocol: 'pix', outgoing }
    const { channels, rail } = connectEntry(
      { ...entry, ...at, ...changes },
      toolsWith({ ...tools, timeoutMs }),
    )
    if (rail === undefined) throw new Error('an entry with payouts has a rail')
    assert.deepEqual({ channels: channels.length, kinds: rail.kinds }, { channels: 0, kinds: ['pix'] })
    return rail
  }
  return {
    url,
    connect: connectWith({}),
    connectAsStranger: connectWith({ clientSecret: 'expired' }),
    request: (behaviour, reference) => ({
      reference,
      kind: 'pix',
      money: { amount: amounts[behaviour], currency: 'BRL' },
      beneficiary: { account: 'ana@example.com', details: {} },
    }),
    decide: async () => {},
    statesReturn: outgoing === 'efi',
    giveBack: async (reference) => counterparty.outgoing.giveBack(reference),
    countPaid: async (reference) => counterparty.outgoing.count(reference),
    forge: {
      amount: (answer, { amount, currency }) => withFields(answer, { valor: formatAmount(amount, currency) }),
      state: (answer) => withFields(answer, { status: 'RETIDO' }),
      currency: undefined,
    },
    isAboutPayout: (path) => path.includes('/gn/') || path.includes('/banking/'),
    ...(outgoing === 'efi' ? { received: receiver.received } : { asksBySending: true }),
    async close() {
      await receiver.close()
      await close()
      await database.drop()
    },
  }
}

function withFields(answer: ProxyAnswer, fields: Fields): ProxyAnswer {
  const { transacaoPix, ...body } = JSON.parse(answer.body)
  const changed = transacaoPix
    ? { ...body, transacaoPix: { ...transacaoPix, ...fields } }
    : { ...body, ...fields }
  return { ...answer, body: JSON.stringify(changed) }
}
