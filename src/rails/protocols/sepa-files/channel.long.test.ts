import assert from 'node:assert/strict'
import { testReadingChannelContract } from '../../../../test/contracts/channel-contract.ts'
import type { ChannelDriver } from '../../../../test/contracts/channel-driver.ts'
import { openSepaFiles, sepaRequest } from '../../../../test/counterparties/sepa-files.ts'
import type { PayerAction } from '../../contract/channel.ts'

const PRICE = 24_00n
const TOO_MUCH = 100_000_000_000n

testReadingChannelContract('SEPA by files', openDriver)

async function openDriver(): Promise<ChannelDriver> {
  const given = await openSepaFiles()
  const { bank, channel } = given

  /** The bank reports the payer's transfer in a notification first, and in a statement later. */
  async function send(action: PayerAction, amount: bigint): Promise<void> {
    assert.ok(action.kind === 'transfer' && action.reference !== undefined)
    bank.notify(bank.credit([{ cents: amount, text: action.reference }]))
    assert.equal(await given.work(), '')
    bank.state({ copies: 1 })
    assert.equal(await given.work(), '')
  }

  return {
    channel: {
      ...channel,
      // After a pending refund, our file goes to the bank and its answers come back. The next call then returns the
      // result.
      async refund(request) {
        const outcome = await channel.refund(request)
        if (outcome.kind === 'pending') await given.exchange()
        return outcome
      },
    },
    within: () => channel,
    request(behaviour, reference) {
      return sepaRequest(behaviour === 'refused' ? TOO_MUCH : PRICE, reference)
    },
    async act(action, deed) {
      if (deed === 'approve') await send(action, PRICE)
      return {}
    },
    send,
    push: { kind: 'polled' },
    refusedRefund: { amount: 6_66n, currency: 'EUR' },
    async isCharged(reference) {
      return (await given.store.listOf('deposit', reference)).length > 0
    },
    close: given.close,
  }
}
