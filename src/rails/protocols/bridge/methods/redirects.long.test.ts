import { testProtocolContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'USD' }

testProtocolContract('Cash App', () => openSandboxDriver({ method: 'cash_app', money }))
