import { testChannelContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 1_250_50n, currency: 'PHP' }
const details = { osType: 'ANDROID' }

testChannelContract('GCash', () => openSandboxDriver({ method: 'gcash', money, terminal: 'WAP', details }))
