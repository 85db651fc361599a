import { testChannelContract } from '../../../../../test/contracts/channel-contract.ts'
import { openSandboxDriver } from '../../../../../test/contracts/sandbox-driver.ts'

const money = { amount: 250_000n, currency: 'VND' }

for (const paymentMethodStr of ['qrcode', 'va']) {
  const details = { paymentMethodStr, vaBankId: 970436, productName: 'Lamp' }
  testChannelContract(`Vietnam Pay by ${paymentMethodStr}`, () =>
    openSandboxDriver({ method: 'vn_bank', money, details }),
  )
}
