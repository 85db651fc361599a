// Tests Apple Pay and Google Pay over the bridge. The entry has only `url` and `secret`, because the acquirer decrypts
// the tokens.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cards, openCardDriver, tokenRequest } from '../../../../../test/contracts/card-driver.ts'
import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { type ChannelDriver, makeReference } from '../../../../../test/contracts/channel-driver.ts'
import { SECRET } from '../../../../../test/contracts/sandbox-driver.ts'
import { connectChannel, toolsWith } from '../../../../../test/counterparties/connect-entry.ts'
import type { Method } from '../../../methods/methods.ts'

const used = new Map<string, string>()

async function useToken({ merNo, tokenId }: { merNo: number; tokenId: string }, reference: string) {
  const key = `${merNo} ${tokenId}`
  used.set(key, used.get(key) ?? reference)
  return used.get(key) === reference
}

function openDriver(method: Method): Promise<ChannelDriver> {
  return openCardDriver({
    paidBy: 'token',
    believes: 'asking',
    connect(url, timeoutMs) {
      const entry = { name: method, protocol: 'bridge', method, url, secret: SECRET }
      return connectChannel(entry, method, toolsWith({ timeoutMs, useToken }))
    },
  })
}

testChannelContract('Apple Pay over the bridge', () => openDriver('apple_pay'))

describe('a token over the bridge', () => {
  let driver: ChannelDriver
  before(async () => {
    driver = await openDriver('google_pay')
  })
  after(() => driver.close())

  it('pays one order, however the merchant encodes it', async () => {
    const request = tokenRequest(cards.pays)
    assert.equal((await driver.channel.start(request)).kind, 'succeeded')
    const token = request.walletToken ?? ''
    for (const walletToken of [
      token,
      ` ${token}`,
      JSON.stringify(JSON.parse(token), null, 2),
      Buffer.from(token).toString('base64'),
    ]) {
      const again = { ...request, reference: makeReference(), merNo: 10_002, walletToken }
      assert.partialDeepStrictEqual(await driver.channel.start(again), { cause: 'declined' }, walletToken)
      assert.equal(await driver.isCharged(again.reference), false)
    }
  })

  it('is declined when it is none, and the reference can never be charged', async () => {
    for (const walletToken of ['rubbish', '[]', '{']) {
      const request = { ...tokenRequest(cards.pays), walletToken }
      assert.partialDeepStrictEqual(await driver.channel.start(request), {
        kind: 'failed',
        cause: 'declined',
        message: 'The Google Pay token is not valid',
      })
      const good = tokenRequest(cards.pays, request.reference)
      assert.partialDeepStrictEqual(await driver.channel.start(good), { cause: 'cancelled' })
    }
  })

  it('must be sent by the merchant: the bridge has no payment sheet', async () => {
    assert.equal(driver.channel.traits.needsToken, true)
    const request = { ...tokenRequest(cards.pays), walletToken: '' }
    assert.partialDeepStrictEqual(await driver.channel.start(request), { kind: 'failed', cause: 'refused' })
  })
})
