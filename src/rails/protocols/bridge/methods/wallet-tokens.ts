// Apple Pay and Google Pay over the bridge: the token is passed on unopened, because the acquirer behind the bridge has the
// key. The protocols apple_pay and google_pay open tokens themselves.
import { applePay } from '../apple-pay/method.ts'
import { googlePay } from '../google-pay/method.ts'
import type { Connect } from '../settings.ts'
import { ANY_MERCHANT, type VerifiedToken } from '../wallet/opened-token.ts'
import { applePayData, googlePayToken, tokenIdOf } from '../wallet/sealed-token.ts'
import { createWalletChannel, type WalletChannelOptions } from '../wallet/wallet-channel.ts'
import { walletSettings } from '../wallet/wallet-settings.ts'

type Wallet = Pick<WalletChannelOptions, 'method' | 'traits' | 'label'> & {
  /** The token as the acquirer takes it; undefined when it is none. */
  readonly tokenIn: (text: string) => string | undefined
}

function connectWallet({ tokenIn, ...wallet }: Wallet): Connect {
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
  traits: applePay,
  label: 'Apple Pay',
  tokenIn: applePayData,
})

export const bridgeGooglePay = connectWallet({
  method: 'google_pay',
  traits: googlePay,
  label: 'Google Pay',
  tokenIn: googlePayToken,
})
