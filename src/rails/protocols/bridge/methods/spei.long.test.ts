import { testProtocolContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 845_20n, currency: 'MXN' }

testProtocolContract('SPEI', () => openSandboxDriver({ method: 'spei', money }))
