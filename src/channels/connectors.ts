// Creates a method's channel from its settings.
import { connectAlipay } from './alipay/connect.ts'
import { connectApplePay } from './apple-pay/connect.ts'
import { connectCard } from './card/connect.ts'
import { connectCashApp } from './cash-app/connect.ts'
import { connectCrypto } from './crypto/connect.ts'
import { connectGcash } from './gcash/connect.ts'
import { connectGooglePay } from './google-pay/connect.ts'
import type { Method } from './method.ts'
import { connectPerTransfer } from './per-transfer/connect.ts'
import { connectPix } from './pix/connect.ts'
import { connectSepa } from './sepa/connect.ts'
import type { Connect } from './settings.ts'
import { connectSpei } from './spei/connect.ts'
import { connectUnionpay } from './unionpay/connect.ts'
import { connectVnBank } from './vn-bank/connect.ts'
import { connectWechat } from './wechat/connect.ts'

export const connectors: Readonly<Record<Method, Connect>> = {
  card: connectCard,
  alipay: connectAlipay,
  wechat: connectWechat,
  apple_pay: connectApplePay,
  google_pay: connectGooglePay,
  crypto: connectCrypto,
  unionpay: connectUnionpay,
  cash_app: connectCashApp,
  gcash: connectGcash,
  pix: connectPix,
  spei: connectSpei,
  per_transfer: connectPerTransfer,
  sepa: connectSepa,
  vn_bank: connectVnBank,
}
