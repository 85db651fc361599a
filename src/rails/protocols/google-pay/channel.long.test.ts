import { testChannelContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'
import { isCharged } from '../../../test/wallet-charges.ts'

const money = { amount: 1_250n, currency: 'USD' }

testChannelContract('Google Pay by its sheet', () =>
  openSandboxDriver({ method: 'google_pay', money, believes: 'asking', isCharged }),
)
