import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 320_00n, currency: 'PEN' }
const details = { customerIdentificationType: '00' }
const personal = { customerIdentification: '41552384' }

testChannelContract('PerTransfer', () =>
  openSandboxDriver({ method: 'per_transfer', money, details, personal }),
)
