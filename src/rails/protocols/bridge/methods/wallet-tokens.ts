// Apple Pay and Google Pay over the bridge. The gateway passes the encrypted token on, because the acquirer behind the
// bridge has the key. In contrast, the protocols apple_pay and google_pay decrypt tokens themselves.

import type { Connect } from '../../../contract/settings.ts'
import {
  ANY_MERCHANT,
  applePayData,
  googlePayToken,
  tokenIdOf,
  type VerifiedToken,
} from '../../../toolkit/wallet-token.ts'
import { createWalletChannel, type WalletChannelOptions } from '../wallet/wallet-channel.ts'
import { walletSettings } from '../wallet/wallet-settings.ts'

type Wallet = Pick<WalletChannelOptions, 'method' | 'label'> & {
  /** Returns the token as the acquirer accepts it; undefined if the text is no token. */
  readonly tokenIn: (text: string) => string | undefined
}

function connectWallet({ tokenIn, ...wallet }: Wallet): Connect {
  // The gateway cannot read the merchant and the amount in an encrypted token, so the acquirer must compare them with
  // the order. With ANY_MERCHANT, a token can be used once in total. Otherwise every merchant could use it once.
  const passOn = async (text: string): Promise<VerifiedToken> => {
    const token = tokenIn(text)
    return token === undefined
      ? { kind: 'bad', message: `The ${wallet.label} token is not valid` }
      : { kind: 'opened', tokenId: tokenIdOf(token), merNo: ANY_MERCHANT, card: { token } }
  }
  return (settings, tools) =>
    createWalletChannel({
      ...walletSettings(settings, tools, { url: 'url', secret: 'secret' }),
      ...tools,
      ...wallet,
      openToken: passOn,
    })
}

export const bridgeApplePay = connectWallet({
  method: 'apple_pay',
  label: 'Apple Pay',
  tokenIn: applePayData,
})

export const bridgeGooglePay = connectWallet({
  method: 'google_pay',
  label: 'Google Pay',
  tokenIn: googlePayToken,
})
