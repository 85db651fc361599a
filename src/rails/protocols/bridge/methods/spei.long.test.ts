import { testProtocolContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 845_20n, currency: 'MXN' }

testProtocolContract('SPEI', () => openSandboxDriver({ method: 'spei', money }))
