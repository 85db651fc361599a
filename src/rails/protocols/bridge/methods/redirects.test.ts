import { testChannelContract } from '../../../test/channel-contract.ts'
import { openSandboxDriver } from '../../../test/sandbox-driver.ts'

const money = { amount: 1_250n, currency: 'CNY' }

testChannelContract('UnionPay', () => openSandboxDriver({ method: 'unionpay', money }))
