import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'CNY' }

testChannelContract('UnionPay', () => openSandboxDriver({ method: 'unionpay', money }))
