import { privatePem } from '../../../../sandbox/rsa-keys.ts'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { testPayoutContract } from '../../../../test/contracts/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../../test/contracts/payout-driver.ts'
import type { ProxyAnswer } from '../../../../test/counterparties/faulty-proxy.ts'
import { openStp } from '../../../../test/counterparties/stp.ts'
import { formatAmount } from '../../../platform/base/money.ts'

const amounts: Readonly<Record<PayoutBehaviour, bigint>> = { pays: 1_000n, declines: 666n, refused: 2n }

testPayoutContract('SPEI by STP', openDriver)

async function openDriver(): Promise<PayoutDriver> {
  const { stp, url, receiver, rail, close } = await openStp()
  const ofSender = (clave: string) =>
    [...stp.book.sent.values()].filter(({ claveRastreo }) => claveRastreo === clave)
  const privateKey = privatePem(rsaPair('stranger').privateKey)
  return {
    url: `${url}/stp`,
    connect: (address, timeoutMs) => rail({ url: address }, timeoutMs),
    connectAsStranger: (address, timeoutMs) => rail({ url: address, privateKey }, timeoutMs),
    request: (behaviour, reference) => ({
      reference,
      kind: 'spei',
      money: { amount: amounts[behaviour], currency: 'MXN' },
      beneficiary: { account: '032180000118359719', details: { benFirstName: 'Ana', benLastName: 'Núñez' } },
    }),
    decide: async () => {},
    statesReturn: false,
    giveBack: async (reference) => stp.giveBack(reference),
    countPaid: async (reference) => ofSender(reference).filter(({ estado }) => estado === 'LQ').length,
    forge: {
      amount: (answer, { amount, currency }) =>
        changed(answer, /"monto":[\d.]+/, `"monto":${formatAmount(amount, currency)}`),
      state: (answer) =>
        changed(changed(answer, /"estado":"\w+"/, '"estado":"ZZ"'), /"id":\d{3,}/, '"id":-77'),
      currency: undefined,
    },
    received: receiver.received,
    close,
  }
}

function changed(answer: ProxyAnswer, from: RegExp, to: string): ProxyAnswer {
  return { ...answer, body: answer.body.replace(from, to) }
}
