import { isCharged } from '../../../../test/builders/wallet-charges.ts'
import { testChannelContract } from '../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'EUR' }

testChannelContract('Apple Pay by its sheet', () =>
  openSandboxDriver({ method: 'apple_pay', money, believes: 'asking', isCharged }),
)
