import { isCharged } from '../../../../test/builders/wallet-charges.ts'
import { testChannelContract } from '../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'USD' }

testChannelContract('Google Pay by its sheet', () =>
  openSandboxDriver({ method: 'google_pay', money, believes: 'asking', isCharged }),
)
