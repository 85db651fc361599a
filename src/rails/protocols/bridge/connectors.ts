// The connector of each method over our own protocol.
import type { Connect } from '../../contract/settings.ts'
import type { Method, Own } from '../../methods/methods.ts'
import { connectBank } from './bank/bank-channel.ts'
import { redirectTo } from './bank/charge.ts'
import { connectCard } from './card/card-channel.ts'
import { connectCrypto } from './methods/crypto.ts'
import { connectGcash } from './methods/gcash.ts'
import { connectPerTransfer } from './methods/per-transfer.ts'
import { bridgePix } from './methods/pix.ts'
import { connectSepa } from './methods/sepa.ts'
import { connectSpei } from './methods/spei.ts'
import { connectVnBank } from './methods/vn-bank.ts'
import { bridgeAlipay, bridgeWechat } from './methods/wallet-pages.ts'
import { bridgeApplePay, bridgeGooglePay } from './methods/wallet-tokens.ts'

const connectors: Own<Connect> = {
  card: connectCard,
  alipay: bridgeAlipay,
  wechat: bridgeWechat,
  apple_pay: bridgeApplePay,
  google_pay: bridgeGooglePay,
  gcash: connectGcash,
  pix: bridgePix,
  spei: connectSpei,
  per_transfer: connectPerTransfer,
  sepa: connectSepa,
  vn_bank: connectVnBank,
  crypto: connectCrypto,
}

/**
 * Returns the method's own connector. For a method without one, the connector redirects the payer to the wallet's page.
 */
export function connectorOf(method: Method): Connect {
  return connectors[method] ?? connectBank({ method, reports: 'exact', actionOf: redirectTo })
}
