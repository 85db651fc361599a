import { openAdyenDriver } from '../../../test/adyen.ts'
import {
  testChannelContract,
  testChannelVariant,
  testProtocolContract,
} from '../../../test/channel-contract.ts'

const inCurrency = (currency: string) => ({ amount: 24_00n, currency })

testProtocolContract('Adyen, cards with 3-D Secure by redirect', () =>
  openAdyenDriver({ method: 'card', money: inCurrency('EUR') }),
)
testChannelVariant('Adyen, Alipay by redirect', () =>
  openAdyenDriver({ method: 'alipay', money: inCurrency('CNY') }),
)
testChannelVariant('Adyen, WeChat by QR code', () =>
  openAdyenDriver({ method: 'wechat', money: inCurrency('CNY') }),
)
testChannelContract('Adyen, SEPA by bank transfer', () =>
  openAdyenDriver({ method: 'sepa', money: inCurrency('EUR') }),
)
