// Every method over our own protocol.
import { connectCard } from '../card/connect.ts'
import { connectCashApp } from '../cash-app/connect.ts'
import { connectCrypto } from '../crypto/connect.ts'
import { connectGcash } from '../gcash/connect.ts'
import type { Method } from '../method.ts'
import { connectPerTransfer } from '../per-transfer/connect.ts'
import { connectSepa } from '../sepa/connect.ts'
import type { Connect } from '../settings.ts'
import { connectSpei } from '../spei/connect.ts'
import { connectUnionpay } from '../unionpay/connect.ts'
import { connectVnBank } from '../vn-bank/connect.ts'
import { bridgePix } from './pix.ts'
import { bridgeAlipay, bridgeWechat } from './wallet-pages.ts'
import { bridgeApplePay, bridgeGooglePay } from './wallet-tokens.ts'

export const connectors: Readonly<Record<Method, Connect>> = {
  card: connectCard,
  alipay: bridgeAlipay,
  wechat: bridgeWechat,
  unionpay: connectUnionpay,
  apple_pay: bridgeApplePay,
  google_pay: bridgeGooglePay,
  cash_app: connectCashApp,
  gcash: connectGcash,
  pix: bridgePix,
  spei: connectSpei,
  per_transfer: connectPerTransfer,
  sepa: connectSepa,
  vn_bank: connectVnBank,
  crypto: connectCrypto,
}
