import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver, signAgain } from '../../../../../test/contracts/sandbox-driver.ts'
import type { Money } from '../../../../platform/base/money.ts'
import type { Callback } from '../../../contract/channel.ts'

const money = { amount: 1_250n, currency: 'USD' }

/** The length of a minute in the sandbox, which is so short that no test waits for blocks. */
const minuteMs = 1

testChannelContract('crypto', () => {
  const details = { coin: 'USDT', network: 'POLYGON' }
  return openSandboxDriver({ method: 'crypto', money, details, minuteMs, forge })
})

/** Returns a signed callback in which the bridge reports another amount of coin. */
function forge(callback: Callback, { amount }: Money): Callback {
  const charge = JSON.parse(callback.body)
  const whole = BigInt(charge.amount)
  const units = (amount * BigInt(charge.extra.coinUnits) + whole - 1n) / whole
  const [transfer] = charge.extra.transfers
  const transfers = [{ ...transfer, units: units.toString() }]
  return signAgain(callback, JSON.stringify({ ...charge, extra: { ...charge.extra, transfers } }))
}
