import { testChannelContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 845_20n, currency: 'MXN' }

testChannelContract('SPEI', () => openSandboxDriver({ method: 'spei', money }))
