import assert from 'node:assert/strict'
import { testPayoutContract } from '../../../../test/contracts/payout-contract.ts'
import type { PayoutDriver } from '../../../../test/contracts/payout-driver.ts'
import { openSepaFiles, sepaPayout } from '../../../../test/counterparties/sepa-files.ts'

const amounts = { pays: 12_34n, declines: 6_66n, refused: 100_000_000_000n }

testPayoutContract('SEPA by files', openDriver, { over: 'files' })

async function openDriver(): Promise<PayoutDriver> {
  const given = await openSepaFiles()
  const { bank, rail } = given
  const noResponse = () => assert.fail('there are no responses')
  return {
    url: '',
    connect: () => rail,
    connectAsStranger: () => rail,
    request: (behaviour, reference) => sepaPayout(amounts[behaviour], reference),
    async decide() {
      assert.equal(await given.exchange(), '')
    },
    statesReturn: true,
    async giveBack(reference) {
      bank.giveBack(reference)
      assert.equal(await given.work(), '')
    },
    async giveBackPart(reference, amount) {
      bank.giveBack(reference, amount)
      assert.equal(await given.work(), '')
    },
    countPaid: async (reference) => bank.countPaid(reference),
    forge: { amount: noResponse, state: noResponse, currency: undefined },
    close: given.close,
  }
}
