import { testChannelContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 24_00n, currency: 'EUR' }

testChannelContract('SEPA', () => openSandboxDriver({ method: 'sepa', money }))
