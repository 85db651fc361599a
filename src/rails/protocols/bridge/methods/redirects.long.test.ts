import { testProtocolContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'USD' }

testProtocolContract('Cash App', () => openSandboxDriver({ method: 'cash_app', money }))
