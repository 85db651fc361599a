import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 24_00n, currency: 'EUR' }

testChannelContract('SEPA', () => openSandboxDriver({ method: 'sepa', money }))
