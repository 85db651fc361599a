import assert from 'node:assert/strict'
import { testReadingChannelContract } from '../../../../test/contracts/channel-contract.ts'
import type { ChannelDriver } from '../../../../test/contracts/channel-driver.ts'
import { makeRequest } from '../../../../test/contracts/sandbox-driver.ts'
import { openStp } from '../../../../test/counterparties/stp.ts'
import type { PayerAction } from '../../contract/channel.ts'

const money = { amount: 845_20n, currency: 'MXN' }
const tooMuch = { amount: 10n ** 15n, currency: 'MXN' }

testReadingChannelContract('SPEI by STP', openDriver)

async function openDriver(): Promise<ChannelDriver> {
  const { stp, store, channel, connect, close } = await openStp()

  async function send(action: PayerAction, amount: bigint): Promise<void> {
    assert.ok(action.kind === 'transfer')
    const answer = await stp.deposit(action.account, amount)
    assert.equal(answer.text, '{"mensaje":"confirmar"}')
  }

  return {
    channel,
    within: (timeoutMs) => connect({}, timeoutMs).channels[0] ?? assert.fail(),
    request: (behaviour, reference) =>
      makeRequest({ method: 'spei', money: behaviour === 'refused' ? tooMuch : money }, 'pays', reference),
    async act(action, deed) {
      if (deed === 'approve') await send(action, money.amount)
      return {}
    },
    send,
    push: { kind: 'polled' },
    refusedRefund: { amount: 6_66n, currency: 'MXN' },
    isCharged: async (reference) => (await store.listOf('deposit', reference)).length > 0,
    close,
  }
}
